// Where everything on the page is.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import * as actions from '../actions';
import type { Hand } from '../hold/hand';
import * as state from '../state';
import { CertificateLine, Notes } from './certificate_line';
import { DrawnChip } from './drawn';
import { EngineState } from './engine_state';
import { Gallery, type Painter } from './gallery';
import { HeldLine, HoverLine } from './held';
import { Help } from './help';
import { HoldBar, type View } from './hold_bar';
import { JoinedChip } from './joined';
import { Legend } from './legend';
import { FoundLinkages } from './linkages';
import { Palette } from './palette';
import { ImportedRobot, WhichRobot } from './robots';
import { Side } from './side';
import { TimeBar } from './time_bar';
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

/** The picture, which is there before the page, and what lies over it. */
const Middle = ({ holder, children }: { holder: HTMLElement; children: ComponentChildren }) => {
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => main.current?.prepend(holder), [holder]);
  return (
    <main class="middle" ref={main}>
      {children}
    </main>
  );
};

interface LabProps {
  hand: Hand;
  holder: HTMLElement;
  view: View;
  picture: Painter;
}

export const Lab = ({ hand, holder, view, picture }: LabProps) => (
  <>
    <Toolbar />
    {state.partsShown.value ? <Palette hand={hand} /> : null}
    <Middle holder={holder}>
      <div class="top">
        <HoldBar view={view} />
        <Fault />
        <EngineState />
      </div>
      {state.trouble.value === null ? null : (
        <p class="trouble" role="alert">
          {state.trouble.value}
        </p>
      )}
      <div class="bottom">
        <div class="asks">
          <KeptWork />
          <ImportedRobot />
          <FoundLinkages />
        </div>
        <Legend />
        <Notes of={state.certificate.value} fit={() => view.fit()} />
        <div class="chips">
          <JoinedChip />
          <DrawnChip />
        </div>
        <div class="lines">
          <HoverLine />
          <HeldLine />
        </div>
      </div>
    </Middle>
    <LeavingQuestion />
    <WhichRobot />
    {state.sideShown.value ? <Side /> : null}
    {state.timeShown.value ? <TimeBar /> : null}
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
