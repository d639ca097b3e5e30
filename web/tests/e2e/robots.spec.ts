// Robots of other programs: dropped as files, as several files, and as a folder.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { faults } from './axe';
import { open } from './support';

/** A tetrahedron. */
const MESH = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
const URDF = `<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://arm_description/meshes/upper.obj"/></geometry></visual></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint></robot>`;
const SCENE = '<mujoco model="whole"><include file="parts/arm.xml"/></mujoco>';
const ARM = `<mujoco><compiler meshdir="assets"/><asset><mesh name="m" file="m.obj"/></asset><worldbody>
  <body name="upper"><joint name="j"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;

type Texts = Record<string, string>;

const choose = (page: Page, files: Texts): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })),
    );

/** Drops files, by their paths, as one folder that is made in the browser's own storage. */
const dropFolder = (page: Page, files: Texts): Promise<void> =>
  page.evaluate((files) => {
    // Events that scripts make carry no folders: entries are told as the browser tells them.
    const entry = (path: string, below: string[]): unknown =>
      files[path] === undefined
        ? {
            isFile: false,
            isDirectory: true,
            fullPath: `/${path}`,
            createReader: () => {
              const names = [...new Set(below.map((own) => own.split('/')[0] ?? ''))];
              const rest = names.map((name) => {
                const inside = below.filter((own) => own.startsWith(`${name}/`));
                return entry(
                  `${path}/${name}`,
                  inside.map((own) => own.slice(name.length + 1)),
                );
              });
              return { readEntries: (tell: (some: unknown[]) => void) => tell(rest.splice(0, 100)) };
            },
          }
        : {
            isFile: true,
            isDirectory: false,
            fullPath: `/${path}`,
            file: (tell: (file: File) => void) => tell(new File([files[path] ?? ''], path.split('/').at(-1) ?? path)),
          };
    const top = Object.keys(files)[0]?.split('/')[0] ?? '';
    const below = Object.keys(files).map((path) => path.slice(top.length + 1));
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    const items = [{ webkitGetAsEntry: () => entry(top, below) }];
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files: [] } });
    window.dispatchEvent(event);
  }, files);

/** Drops a folder of the disk, as the browser does it when a person lets go of one over the page. */
const dropFromDisk = async (page: Page, folder: string): Promise<void> => {
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x: 450, y: 300, data });
};

const note = (page: Page) => page.getByRole('region', { name: 'Imported robot' });

test('a robot is dropped as a folder, with what it includes and its meshes', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar');
  await dropFolder(page, {
    'arm/scene.xml': SCENE,
    'arm/parts/arm.xml': ARM,
    'arm/assets/m.obj': MESH,
    'arm/README.md': '#',
  });
  await expect(note(page)).toContainText('arm/scene.xml is imported; time stands.');
  await expect(note(page)).not.toContainText('missing');
  const scene = JSON.parse(await page.evaluate(() => window.linkwork.save()));
  expect(scene.name).toBe('whole');
  expect(scene.bodies[0].mass).toBeCloseTo(1000 / 6, 6);
  expect(scene.bodies[0].view.draw[0].type).toBe('mesh');
  expect(await page.evaluate(() => window.linkwork.report()?.time_s)).toBe(0);
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a folder of the disk is dropped', async ({ page }, testInfo) => {
  const complaints = await open(page, '/?scene=four-bar');
  const files = { 'scene.xml': SCENE, 'parts/arm.xml': ARM, 'assets/m.obj': MESH };
  const folder = testInfo.outputPath('arm');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await dropFromDisk(page, folder);
  await expect(note(page)).toContainText('arm/scene.xml is imported; time stands.');
  await expect(note(page)).not.toContainText('missing');
  const scene = JSON.parse(await page.evaluate(() => window.linkwork.save()));
  expect(scene.bodies[0].mass).toBeCloseTo(1000 / 6, 6);
  expect(complaints).toEqual([]);
});

test('several files are dropped at once, and what is missing is named', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar');
  await choose(page, { 'arm.urdf': URDF, 'upper.obj': MESH });
  await expect(note(page)).toContainText('arm.urdf is imported');
  await expect(note(page)).not.toContainText('missing');
  // Without its mesh it is there, and the mesh is named.
  await choose(page, { 'arm.urdf': URDF });
  await expect(note(page)).toContainText('package://arm_description/meshes/upper.obj');
  // Without a mass it is not, and what was open stays.
  await choose(page, { 'arm.xml': ARM });
  await expect(page.getByRole('alert')).toContainText('mesh "assets/m.obj" is not there');
  await choose(page, { 'scene.xml': SCENE });
  await expect(page.getByRole('alert')).toContainText('"parts/arm.xml"');
  const scene = JSON.parse(await page.evaluate(() => window.linkwork.save()));
  expect(scene.name).toBe('arm');
  expect(complaints).toEqual([]);
});

test('of several models one is chosen', async ({ page }) => {
  await open(page, '/?scene=four-bar');
  await choose(page, { 'a.urdf': URDF, 'b.urdf': URDF.replace('"arm"', '"second"'), 'upper.obj': MESH });
  const question = page.getByRole('dialog', { name: 'Which robot' });
  await expect(question).toContainText('There are 2 models in these files.');
  expect(await faults(page)).toEqual([]);
  await question.getByRole('button', { name: 'b.urdf' }).click();
  await expect(note(page)).toContainText('b.urdf is imported');
  expect(JSON.parse(await page.evaluate(() => window.linkwork.save())).name).toBe('second');
  await choose(page, { 'a.urdf': URDF, 'b.urdf': URDF });
  await question.getByRole('button', { name: 'None' }).click();
  await expect(question).toHaveCount(0);
  expect(JSON.parse(await page.evaluate(() => window.linkwork.save())).name).toBe('second');
});

test('files that lie, go in circles or are none are refused in words', async ({ page }) => {
  const complaints = await open(page, '/?scene=four-bar');
  const refusals: [Texts, string][] = [
    [{ 'round.xml': '<mujoco><include file="round.xml"/></mujoco>' }, 'includes itself'],
    [{ 'robot.urdf': '<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property/></robot>' }, 'expand it first'],
    [{ 'package.xml': '<package/>' }, 'is no robot description'],
    [{ 'arm.xml': ARM, 'm.obj': 'v 0 0\n' }, 'has no point in line 1'],
  ];
  for (const [files, words] of refusals) {
    await choose(page, files);
    await expect(page.getByRole('alert')).toContainText(words);
    await page.getByRole('button', { name: 'Close' }).click();
  }
  expect(complaints).toEqual([]);
});
