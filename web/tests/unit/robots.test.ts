// Which file is the robot, and what a folder has.

import { expect, test } from 'vitest';
import { filesIn } from '../../src/drop';
import { isModel, modelsOf } from '../../src/engine/robots';

const texts = (own: Record<string, string>): Map<string, string> => new Map(Object.entries(own));

test('what another model includes is a part of it, and what is no model is none', () => {
  const own = texts({
    'arm/scene.xml': '<?xml version="1.0"?>\n<mujoco model="scene">\n  <include file="parts/arm.xml"/></mujoco>',
    'arm/parts/arm.xml': '<mujoco><worldbody/></mujoco>',
    'arm/parts/hand.xml': '<mujocoinclude/>',
    'package.xml': '<package/>',
  });
  expect(modelsOf(own)).toEqual(['arm/scene.xml']);
  expect(modelsOf(texts({ 'b.urdf': '<robot name="b">', 'a.xml': '<mujoco>' }))).toEqual(['a.xml', 'b.urdf']);
});

test('where no model is whole, or each is a part of another, all are left to the reader', () => {
  expect(modelsOf(texts({ 'a.xml': '<package/>' }))).toEqual(['a.xml']);
  const round = texts({ 'a.xml': '<mujoco><include file="b.xml"/>', 'b.xml': "<mujoco><include file='a.xml'/>" });
  expect(modelsOf(round)).toEqual(['a.xml', 'b.xml']);
  expect(modelsOf(texts({ 'a.xml': '<mujoco><include file="a.xml"/>' }))).toEqual(['a.xml']);
});

test('models are known by their names', () => {
  const file = new File([], 'a');
  const paths = ['a.urdf', 'b/C.XML', 'd.mjcf', 'e.json', 'f.stl', 'xml'];
  expect(paths.filter((path) => isModel({ path, file }))).toEqual(['a.urdf', 'b/C.XML', 'd.mjcf']);
});

/** A folder that tells a part of its entries at a time, as browsers do. */
const folder = (path: string, own: FileSystemEntry[], atOnce = 2): FileSystemEntry => {
  const createReader = () => {
    const rest = [...own];
    return { readEntries: (tell: (some: FileSystemEntry[]) => void) => tell(rest.splice(0, atOnce)) };
  };
  return { isFile: false, isDirectory: true, fullPath: path, createReader } as unknown as FileSystemEntry;
};
const leaf = (path: string): FileSystemEntry => {
  const file = (tell: (file: File) => void): void => tell(new File(['x'], path));
  return { isFile: true, isDirectory: false, fullPath: path, file } as unknown as FileSystemEntry;
};

test('a folder is read to its ground, and one that is too large is refused', async () => {
  const meshes = folder(
    '/arm/meshes',
    ['a', 'b', 'c', 'd', 'e'].map((name) => leaf(`/arm/meshes/${name}.stl`)),
  );
  const files = await filesIn([folder('/arm', [leaf('/arm/arm.urdf'), meshes])]);
  expect(files.map(({ path }) => path)).toEqual([
    'arm/arm.urdf',
    ...['a', 'b', 'c', 'd', 'e'].map((name) => `arm/meshes/${name}.stl`),
  ]);
  const many = Array.from({ length: 20_001 }, (_, i) => leaf(`/all/${i}`));
  await expect(filesIn([folder('/all', many, 5000)])).rejects.toThrow('Drop the folder of one robot');
});
