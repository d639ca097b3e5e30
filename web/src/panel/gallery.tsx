// The gallery: every scene of the library with a picture and what it is for.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Listing, Look } from '../engine/border';
import { Pictures } from '../engine/pictures';
import type { Theme } from '../state';

const WIDTH = 240;
const HEIGHT = 150;

/** Draws a scene in so many pixels; gives the address of an image. */
export type Painter = (look: Look, poses: Float64Array, width: number, height: number) => string;

interface Props {
  scenes: Listing[];
  current: string | null;
  theme: Theme;
  picture: Painter;
  choose: (name: string) => void;
  close: () => void;
}

/** What is light or dark now: pictures are made for it. */
const shadeOf = (theme: Theme): string => {
  if (theme !== 'system') return theme;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** The numbers a scene takes, by name, and those it is shown with: `grid:W,H` and `grid:4,4`. */
export const numbersOf = ({ usage, small }: Listing): { name: string; shown: string }[] => {
  const names = usage.split(':')[1]?.split(',') ?? [];
  const shown = small.split(':')[1]?.split(',') ?? [];
  return names.map((name, k) => ({ name, shown: shown[k] ?? '' }));
};

/** What opens a scene with these numbers; those it is shown with where none is given. */
export const nameWith = (scene: Listing, numbers: string[]): string => {
  const given = numbersOf(scene).map(({ shown }, k) => numbers[k]?.trim() || shown);
  return given.every((number) => number === '') ? scene.small : `${scene.name}:${given.join(',')}`;
};

/** The picture of a scene, from when it is first seen. */
const Picture = ({ of, shade, pictures }: { of: string; shade: string; pictures: Pictures }) => {
  const place = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => {
    let takeBack = (): void => {};
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      takeBack = pictures.wish(of, shade, setPicture);
    });
    if (place.current !== null) watch.observe(place.current);
    return () => {
      watch.disconnect();
      takeBack();
    };
  }, [of, shade, pictures]);
  return (
    <div class="picture" ref={place}>
      {picture === null ? null : <img src={picture} alt="" width={WIDTH} height={HEIGHT} />}
    </div>
  );
};

interface CardProps {
  scene: Listing;
  isCurrent: boolean;
  shade: string;
  pictures: Pictures;
  choose: (name: string) => void;
}

const Card = ({ scene, isCurrent, shade, pictures, choose }: CardProps) => {
  const numbers = numbersOf(scene);
  const [given, setGiven] = useState(() => numbers.map(({ shown }) => shown));
  const wanted = nameWith(scene, given);
  return (
    <li>
      <button type="button" class="card" aria-current={isCurrent} onClick={() => choose(wanted)}>
        <Picture of={scene.small} shade={shade} pictures={pictures} />
        <strong>{scene.name}</strong>
        <span>{scene.why}</span>
      </button>
      {numbers.length === 0 ? null : (
        <form
          aria-label={`Numbers of ${scene.name}`}
          onSubmit={(event) => {
            event.preventDefault();
            choose(wanted);
          }}
        >
          {numbers.map(({ name, shown }, k) => (
            <label key={name}>
              {name}
              <input
                inputMode="decimal"
                placeholder={shown}
                value={given[k] ?? ''}
                onInput={(event) => setGiven(given.with(k, event.currentTarget.value))}
              />
            </label>
          ))}
          <button type="submit">Open</button>
        </form>
      )}
    </li>
  );
};

export const Gallery = ({ scenes, current, theme, picture, choose, close }: Props) => {
  const [wanted, setWanted] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const [pictures] = useState(() => new Pictures((look, poses) => picture(look, poses, WIDTH, HEIGHT)));
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'center' });
    return () => pictures.dispose();
  }, [pictures]);
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = scenes.filter(({ name, why }) => {
    const text = `${name} ${why}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <dialog
      ref={dialog}
      class="gallery"
      aria-label="Scenes"
      onClose={close}
      // Keys are for what is written here, not for the scene behind.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        // Beside the dialog is its backdrop.
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <header>
        <input
          type="search"
          placeholder={`Find among ${scenes.length} scenes`}
          aria-label="Find a scene"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <ul>
        {found.map((scene) => (
          <Card
            key={scene.name}
            scene={scene}
            isCurrent={current?.split(':')[0] === scene.name}
            shade={shadeOf(theme)}
            pictures={pictures}
            choose={choose}
          />
        ))}
      </ul>
      {found.length === 0 ? <p>No scene matches.</p> : null}
    </dialog>
  );
};
