// Where everything on the page is.

import * as actions from '../actions';
import type { Hand } from '../hold/hand';
import * as state from '../state';
import { CertificateLine } from './certificate_line';
import { EngineState } from './engine_state';
import { Gallery, type Painter } from './gallery';
import { HeldLine, HoverLine } from './held';
import { Help } from './help';
import { HoldBar } from './hold_bar';
import { JoinedChip } from './joined';
import { Palette } from './palette';
import { Side } from './side';
import { Toolbar } from './toolbar';
import { KeptWork, LeavingQuestion } from './work';

const Fault = () => {
  const { fault } = state;
  if (fault.value === null) return null;
  return (
    <div class="fault" role="alert">
      <pre>{fault.value}</pre>
      <button
        type="button"
        onClick={() => {
          fault.value = null;
        }}
      >
        Close
      </button>
    </div>
  );
};

export const Lab = ({ hand, picture }: { hand: Hand; picture: Painter }) => (
  <>
    <Toolbar />
    <HoldBar />
    {state.partsShown.value ? <Palette hand={hand} /> : null}
    <Fault />
    <EngineState />
    {state.trouble.value === null ? null : (
      <p class="trouble" role="alert">
        {state.trouble.value}
      </p>
    )}
    <JoinedChip />
    <KeptWork />
    <LeavingQuestion />
    <HoverLine />
    <HeldLine />
    {state.sideShown.value ? <Side /> : null}
    {state.helpShown.value ? (
      <Help
        close={() => {
          state.helpShown.value = false;
        }}
      />
    ) : null}
    {state.galleryShown.value ? (
      <Gallery
        scenes={state.library.value}
        current={state.look.value?.name ?? null}
        theme={state.theme.value}
        picture={picture}
        choose={(name) => {
          state.galleryShown.value = false;
          actions.choose(name);
        }}
        close={() => {
          state.galleryShown.value = false;
        }}
      />
    ) : null}
    <CertificateLine of={state.certificate.value} stepTime={state.stepTime.value} />
  </>
);
