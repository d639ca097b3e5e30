// The side panel: one of its tabs.

import type { ComponentType } from 'preact';
import * as state from '../state';
import { Diagnosis } from './diagnosis';
import { Exactness } from './exactness';
import { Inspector } from './inspector';
import { Plots } from './plots';
import { Tree } from './tree';

const TABS: [state.Tab, string, ComponentType][] = [
  ['inspect', 'Inspect', Inspector],
  ['tree', 'Tree', Tree],
  ['exactness', 'Exactness', Exactness],
  ['diagnosis', 'Diagnosis', Diagnosis],
  ['plots', 'Plots', Plots],
];

export const Side = () => {
  const shown = TABS.find(([tab]) => tab === state.tab.value) ?? TABS[0];
  const Shown = shown?.[2] ?? Inspector;
  return (
    <aside class="side" aria-label="Panel">
      <div class="tabs" role="tablist">
        {TABS.map(([tab, title]) => (
          <button
            key={tab}
            type="button"
            role="tab"
            aria-selected={state.tab.value === tab}
            onClick={() => {
              state.tab.value = tab;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="tab" role="tabpanel">
        <Shown />
      </div>
    </aside>
  );
};
