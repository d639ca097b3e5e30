export const Inspector = () => <section aria-label="Inspector" />;
