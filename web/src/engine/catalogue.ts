// What there is: every type of body, joint and behavior with its fields, its sign and its buttons, as the engine's
// catalogue says it. Forms, menus, palette and signs are made of it: no list of types is kept by the page.

import { computed, signal } from '@preact/signals';
import type { Catalogue, FieldInfo, GlyphInfo, OfferInfo, SortInfo, TypeInfo } from './border';

/** The sorts that the page asks for by name. */
export type SortName = 'body' | 'joint' | 'behavior' | 'function';

const catalogue = signal<Catalogue>({ sorts: [], world: [] });

/** The engine says it once, before anything else. */
export const keepCatalogue = (said: Catalogue): void => {
  catalogue.value = said;
};

const byWord = computed(
  () =>
    new Map(
      catalogue.value.sorts.flatMap(({ word: sort, types }) =>
        types.map((type): [string, TypeInfo] => [`${sort} ${type.word}`, type]),
      ),
    ),
);

const sortOf = (word: string): SortInfo | undefined => catalogue.value.sorts.find((sort) => sort.word === word);

/** All types of a sort, in the order in which to show them. */
export const typesOf = (sort: SortName): TypeInfo[] => sortOf(sort)?.types ?? [];

/** A type by its word. What a program has made has none. */
export const typeOf = (sort: string, word: string | null): TypeInfo | null =>
  byWord.value.get(`${sort} ${word}`) ?? null;

/** Fields that all types of a sort take. */
export const commonOf = (sort: SortName): FieldInfo[] => sortOf(sort)?.common ?? [];

/** An option of the world. */
export const worldField = (name: string): FieldInfo | null =>
  catalogue.value.world.find((field) => field.name === name) ?? null;

/** All options of the world, in the order of files. */
export const worldOptions = (): FieldInfo[] => catalogue.value.world;

/** One of some words. */
export interface Choice {
  word: string;
  /** What people call it. */
  label: string;
  /** One line. */
  help: string;
}

/** What a field can be that is one of some words or types; nothing for others. */
export const choicesOf = ({ words = [], meanings, sort }: FieldInfo): Choice[] =>
  sort === undefined
    ? words.map((word, k) => ({ word, label: word.replaceAll('-', ' '), help: meanings?.[k] ?? '' }))
    : (sortOf(sort)?.types ?? []);

/** What people call a field. */
export const fieldLabel = ({ label, name }: FieldInfo): string => label ?? name.replaceAll('_', ' ');

/** What people call a type. */
export const labelOf = (sort: string, word: string | null): string => typeOf(sort, word)?.label ?? word ?? '';

/** Of what has no type: a plain mark. */
const MARK: GlyphInfo = {
  sign: 'mark',
  link: 'nothing',
  slides: false,
  rail: false,
  meets: false,
  holds: false,
  bearing: false,
  seated: false,
};

/** How a joint or a behavior is drawn. */
export const glyphOf = (sort: 'joint' | 'behavior', word: string | null): GlyphInfo =>
  typeOf(sort, word)?.glyph ?? MARK;

/** A button of the palette, and the type that it makes. */
export interface Offered {
  offer: OfferInfo;
  type: TypeInfo;
}

/** The buttons of these sorts, in the order of the palette. */
export const offersOf = (...sorts: SortName[]): Offered[] =>
  sorts
    .flatMap(typesOf)
    .flatMap((type) => type.offers.map((offer) => ({ offer, type })))
    .sort((a, b) => a.offer.rank - b.offer.rank);

/** A button by its name. */
export const offerNamed = (name: string, ...sorts: SortName[]): Offered | null =>
  offersOf(...sorts).find(({ offer }) => offer.name === name) ?? null;
