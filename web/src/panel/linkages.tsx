// Linkages that were found for a drawn path, each with what it does well and badly.

import * as actions from '../actions';
import type { Linkage } from '../engine/border';
import * as state from '../state';

const percent = (share: number): string => `${(100 * share).toPrecision(2)} %`;

/** What somebody should know before choosing it. */
const flaws = ({ in_order, one_branch, transmission_deg }: Linkage): string[] => [
  ...(one_branch ? [] : ['does not turn fully']),
  ...(in_order ? [] : ['passes the path out of order']),
  ...(transmission_deg !== null && transmission_deg !== undefined && transmission_deg > 60 ? ['nearly jams'] : []),
];

const Offer = ({ linkage, at }: { linkage: Linkage; at: number }) => (
  <li>
    <button type="button" onClick={() => actions.openLinkage(linkage)}>
      Linkage {at + 1}
    </button>{' '}
    {[`${percent(linkage.rms)} off`, linkage.grashof, ...flaws(linkage)].join(', ')}
  </li>
);

export const FoundLinkages = () => {
  const now = state.linkages.value;
  if (now === null) return null;
  return (
    <section class="kept linkages" aria-label="Linkages for the drawn path">
      <button type="button" class="close" aria-label="Close" onClick={actions.dropLinkages}>
        ×
      </button>
      {now.found === null ? (
        <p role="status">Looking for linkages that follow this path…</p>
      ) : (
        <>
          <p role="status">Four-bars that draw this path. Open one: it runs at once.</p>
          <ol>
            {now.found.map((linkage, at) => (
              <Offer key={linkage.scene} linkage={linkage} at={at} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
};
