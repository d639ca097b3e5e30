// Rings, lines and words over the picture: what tools show while they are used. They are drawn by the page, so
// they are as sharp as its text and have the colors of its style sheet.

import type { Vector3 } from 'three';
import type { Stage } from '../view/stage';

export type Mark =
  | { type: 'ring' | 'anchor'; at: Vector3 }
  | { type: 'stop'; at: Vector3; end: 'lower' | 'upper'; isOver: boolean }
  | { type: 'line'; points: Vector3[]; style: 'rubber' | 'drawn' | 'ghost' | 'limit' | 'needle' }
  | { type: 'label'; at: Vector3; text: string };

const SVG = 'http://www.w3.org/2000/svg';

export class Marks {
  private readonly root = document.createElementNS(SVG, 'svg');
  private readonly layers = new Map<string, Mark[] | (() => Mark[])>();
  private drawn = '';
  private isDue = false;

  constructor(private readonly stage: Stage) {
    this.root.classList.add('marks');
    this.root.setAttribute('aria-hidden', 'true');
    stage.canvas.parentElement?.append(this.root);
  }

  /** What a tool shows from now on; what moves is asked for anew for every picture. */
  set(layer: string, marks: Mark[] | (() => Mark[])): void {
    if (typeof marks !== 'function' && marks.length === 0) this.layers.delete(layer);
    else this.layers.set(layer, marks);
    this.later();
  }

  /** As long as there is something, it follows the view. */
  private later(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
      if (this.layers.size > 0) this.later();
    });
  }

  private draw(): void {
    const box = this.stage.canvas.getBoundingClientRect();
    const place = (point: Vector3): [number, number] => {
      const { x, y } = this.stage.project(point);
      return [Math.round(10 * (x - box.left)) / 10, Math.round(10 * (y - box.top)) / 10];
    };
    const marks = [...this.layers.values()].flatMap((own) => (typeof own === 'function' ? own() : own));
    const wanted = marks.map((mark) => shapeOf(mark, place));
    const text = JSON.stringify(wanted);
    if (text === this.drawn) return;
    this.drawn = text;
    this.root.replaceChildren(
      ...wanted.map(([tag, attributes, words]) => {
        const shape = document.createElementNS(SVG, tag);
        for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
        shape.textContent = words;
        return shape;
      }),
    );
  }
}

type Drawn = [tag: string, attributes: Record<string, string | number>, words: string];

const shapeOf = (mark: Mark, place: (point: Vector3) => [number, number]): Drawn => {
  switch (mark.type) {
    case 'ring': {
      const [cx, cy] = place(mark.at);
      return ['circle', { class: 'ring', cx, cy, r: 8 }, ''];
    }
    case 'anchor': {
      const [x, y] = place(mark.at);
      return ['path', { class: 'anchor', d: `M${x} ${y} l7 12 h-14 z` }, ''];
    }
    case 'stop': {
      const [cx, cy] = place(mark.at);
      return ['circle', { class: mark.isOver ? 'stop over' : 'stop', 'data-stop': mark.end, cx, cy, r: 6 }, ''];
    }
    case 'line':
      return ['polyline', { class: mark.style, points: mark.points.map(place).join(' ') }, ''];
    case 'label': {
      const [x, y] = place(mark.at);
      return ['text', { x: x + 12, y: y - 12 }, mark.text];
    }
  }
};
