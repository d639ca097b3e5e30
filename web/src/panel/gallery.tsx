// The gallery: every scene of the library with what it is for.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Listing } from '../engine/words';

interface Props {
  scenes: Listing[];
  current: string | null;
  choose: (name: string) => void;
  close: () => void;
}

export const Gallery = ({ scenes, current, choose, close }: Props) => {
  const [wanted, setWanted] = useState('');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current, scenes]);
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = scenes.filter(({ name, why }) => {
    const text = `${name} ${why}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <nav class="chooser" aria-label="Scenes">
      <button type="button" onClick={close}>Close</button>
      <input
        type="search"
        placeholder={`Find among ${scenes.length} scenes`}
        aria-label="Find a scene"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <ul ref={list}>
        {found.map(({ name, why, small }) => (
          <li key={name}>
            <button type="button" aria-current={current?.split(':')[0] === name} onClick={() => choose(small)}>
              <strong>{name}</strong>
              <span>{why}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p>No scene has these words.</p> : null}
    </nav>
  );
};
