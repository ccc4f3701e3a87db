// @vitest-environment happy-dom
import { act, cleanup, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { mockPurchase, type RedeemState } from '../mock/redeemState.ts'
import { redeemStates } from '../mock/redeemStates.ts'
import type { RedeemButtonStep } from '../wagmi/describeRedeemButton.ts'
import { renderInMock } from './react.fixture.tsx'
import { useRedeem } from './useRedeem.ts'

/** `redeemkit/mock` lists the same states as the hook. */

afterEach(cleanup)

test('every step has a state', () => {
  const steps: Record<RedeemButtonStep, true> = {
    notConnected: true,
    wrongChain: true,
    switchingChain: true,
    preparing: true,
    checking: true,
    failed: true,
    ready: true,
    open: true,
    waitingForOther: true,
    signingPermit: true,
    secondClick: true,
    signingUsdc: true,
    submitting: true,
    lookingUp: true,
    stillWaiting: true,
    confirming: true,
    done: true,
  }
  expect([...new Set(redeemStates.map(({ shown }) => shown.step))].sort()).toEqual(Object.keys(steps).sort())
})

test('each state has the type of the hook’s result', () => {
  const shown: readonly useRedeem.ReturnType[] = redeemStates.map((state) => state.shown)
  expect(new Set(redeemStates.map(({ name }) => name)).size).toBe(shown.length)
})

describe('a configured mock shows', () => {
  const played = redeemStates.flatMap((state) => (state.scenario === undefined ? [] : [state]))

  test.each(played)('$name', async ({ shown, scenario }: RedeemState) => {
    if (scenario === undefined) throw new Error('There is no scenario.')
    const { secondClick } = scenario
    const { result } = await renderInMock(() => useRedeem({ ...mockPurchase, secondClick }), scenario)
    const settles = () => waitFor(() => expect(seen(result.current)).toEqual(seen(shown)))
    if (scenario.clicks > 0) {
      await waitFor(() => expect(result.current.canClick).toBe(true))
      await act(async () => result.current.onClick())
    }
    await settles()
  })
})

/** Returns the visible text, without parts that differ between purchases. */
function seen({
  step,
  label,
  canClick,
  canCancel,
  signing,
  prompts,
  elsewhere,
  network,
  data,
  paidBy,
  explorerUrl,
  error,
  userMessage,
}: useRedeem.ReturnType) {
  return {
    step,
    label,
    canClick,
    canCancel,
    signing,
    prompts,
    elsewhere,
    network,
    charged: data?.outcome?.intentBound === undefined && data?.outcome?.charged,
    paidBy,
    hasLink: explorerUrl?.replace(/0x\w+/, ''),
    error: error?.name,
    userMessage,
  }
}
