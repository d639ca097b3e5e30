// The side panel: one of its tabs.

import type { ComponentType } from 'preact';
import * as state from '../state';
import { Diagnosis } from './diagnosis';
import { Exactness } from './exactness';
import { Formulas } from './formulas';
import { Inspector } from './inspector';
import { Plots } from './plots';
import { rove } from './rove';
import { Tree } from './tree';

const TABS: [state.Tab, string, ComponentType][] = [
  ['inspect', 'Inspect', Inspector],
  ['tree', 'Tree', Tree],
  ['formulas', 'Formulas', Formulas],
  ['exactness', 'Exactness', Exactness],
  ['diagnosis', 'Diagnosis', Diagnosis],
  ['plots', 'Plots', Plots],
];

export const Side = () => {
  const shown = TABS.find(([tab]) => tab === state.tab.value) ?? TABS[0];
  const Shown = shown?.[2] ?? Inspector;
  return (
    <aside class="side" aria-label="Panel">
      <div class="tabs" role="tablist" aria-label="Panel" onKeyDown={rove}>
        {TABS.map(([tab, title]) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={state.tab.value === tab}
            aria-controls="tab"
            tabIndex={state.tab.value === tab ? 0 : -1}
            onClick={() => {
              state.tab.value = tab;
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="tab" role="tabpanel" id="tab" aria-labelledby={`tab-${state.tab.value}`}>
        <Shown />
      </div>
    </aside>
  );
};
