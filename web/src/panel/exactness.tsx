export const Exactness = () => <section aria-label="Exactness" />;
