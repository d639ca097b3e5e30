// Parts that can be added to the running world.

export const Palette = () => <aside class="palette" aria-label="Parts" />;
