// The end of a switch over a union.

/** Fails the build where a case is missing, and the page where the types were wrong. */
export const unreachable = (of: never): never => {
  throw new Error(`not handled: ${JSON.stringify(of)}`);
};
