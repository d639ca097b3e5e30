export const Plots = () => <section aria-label="Plots" />;
