export const Tree = () => <section aria-label="Tree" />;
