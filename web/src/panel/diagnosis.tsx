export const Diagnosis = () => <section aria-label="Diagnosis" />;
