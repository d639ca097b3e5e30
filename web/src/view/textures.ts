// The pixels of the scene's pictures. What lies in the plane and what lies on sheets have the same ones.

import { type MeshBasicMaterial, SRGBColorSpace, Texture } from 'three';
import type { PictureLook } from '../engine/border';

/** The bytes of a data URI, without asking the network for them. */
const bytesOf = (uri: string): Blob => {
  const text = atob(uri.slice(uri.indexOf(',') + 1));
  return new Blob([Uint8Array.from(text, (sign) => sign.charCodeAt(0))], { type: 'image/png' });
};

const textureOf = async (uri: string): Promise<Texture> => {
  const texture = new Texture(await createImageBitmap(bytesOf(uri), { imageOrientation: 'flipY' }));
  texture.colorSpace = SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
};

/** Until its pixels are there, nothing is seen of a picture. */
const put = (texture: Texture | null, material: MeshBasicMaterial): void => {
  material.map = texture;
  material.opacity = texture === null ? 0 : 1;
  material.needsUpdate = true;
};

interface Kept {
  stamp: number;
  texture: Texture | null;
}

export class Textures {
  private readonly kept = new Map<string, Kept>();
  /** What they lie on. */
  private readonly covered = new Map<MeshBasicMaterial, string>();

  constructor(private readonly changed: () => void) {}

  /**
   * The scene has these pictures; `fetched` gives one as a data URI. Those with other pixels than before are fetched.
   */
  show(pictures: readonly PictureLook[], fetched: (name: string) => Promise<string>): void {
    const names = new Set(pictures.map(({ name }) => name));
    for (const name of [...this.kept.keys()]) {
      if (names.has(name)) continue;
      this.take(name, null);
      this.kept.delete(name);
    }
    for (const { name, stamp } of pictures) {
      const own = this.kept.get(name) ?? { stamp: Number.NaN, texture: null };
      this.kept.set(name, own);
      if (own.stamp === stamp) continue;
      own.stamp = stamp;
      void fetched(name)
        .then(textureOf)
        .then((texture) => {
          // Another one meanwhile, or none.
          if (this.kept.get(name) === own && own.stamp === stamp) this.take(name, texture);
          else texture.dispose();
        })
        .catch(() => {
          // Gone again meanwhile.
        });
    }
  }

  /** The picture of a name is on this from now on, as soon as its pixels are there. */
  cover(material: MeshBasicMaterial, name: string): void {
    this.covered.set(material, name);
    put(this.kept.get(name)?.texture ?? null, material);
  }

  /** It is on this no more. */
  uncover(material: MeshBasicMaterial): void {
    this.covered.delete(material);
  }

  private take(name: string, texture: Texture | null): void {
    const own = this.kept.get(name);
    if (own === undefined) return;
    own.texture?.dispose();
    own.texture = texture;
    for (const [material, of] of this.covered) if (of === name) put(texture, material);
    this.changed();
  }
}
