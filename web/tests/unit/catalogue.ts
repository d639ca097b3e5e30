// Every test has the catalogue of the engine, as the page has it from its worker.

import { readFileSync } from 'node:fs';
import { keepCatalogue } from '../../src/engine/catalogue';
import { catalogue } from '../../src/engine/lab';
import { initSync } from '../../src/wasm/linkwork_wasm.js';

initSync({ module: readFileSync('src/wasm/linkwork_wasm_bg.wasm') });
keepCatalogue(catalogue());
