// @vitest-environment happy-dom
import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { RedeemEvent } from '../redeem/redeemStep.ts'
import { purchase, type world } from '../wagmi/wagmi.fixture.ts'
import { renderIn } from './react.fixture.tsx'
import { useRedeem } from './useRedeem.ts'

/** Tests the kit's `onEvent`, which pages use for analytics and error reports. */

afterEach(cleanup)

/** Clicks a button with a listener, and waits until the redeem ends. */
async function clicked(end: string, onEvent: (event: RedeemEvent) => unknown, prepare?: (at: World) => void) {
  const { result, at, click } = await renderIn(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
    kit: { onEvent },
  })
  await waitFor(() => expect(result.current.step).toBe('ready'))
  prepare?.(at)
  await click(result.current.onClick)
  await waitFor(() =>
    expect(result.current.step === end && result.current.canClick === (end !== 'done')).toBe(true),
  )
  return result.current
}
type World = Awaited<ReturnType<typeof renderIn>>['at']

describe('events of a redeem', () => {
  test('report each step with the time since the click, and do not identify the payment', async () => {
    const events: RedeemEvent[] = []
    await clicked('done', (event) => events.push(event))
    expect(events.map(({ step }) => step)).toEqual([
      'prepared',
      'signing',
      'signed',
      'submitting',
      'submitted',
      'waiting',
      'redeemed',
    ])
    const times = events.map(({ durationMs }) => durationMs)
    expect(times).toEqual([...times].sort((one, other) => one - other))
    for (const event of events) {
      expect(Object.keys(event)).toEqual(['step', 'durationMs'])
      expect(Number.isInteger(event.durationMs)).toBe(true)
    }
  })

  test('end with the step that failed, and the name of the error', async () => {
    const events: RedeemEvent[] = []
    const reject = (at: World) => {
      at.wallet.state.answers.eth_signTypedData_v4 = () => {
        throw { code: 4001, message: 'User rejected the request.' }
      }
    }
    await clicked('ready', (event) => events.push(event), reject)
    expect(events.at(-1)).toEqual({
      step: 'signing',
      durationMs: expect.any(Number),
      errorCode: 'UserRejectedError',
    })
  })

  test('include a check that fails before the click', async () => {
    const events: RedeemEvent[] = []
    const change: Parameters<typeof world>[0] = {
      kit: {
        onEvent: (event) => events.push(event),
        fetch: () => Promise.reject(new TypeError('Failed to fetch')),
      },
    }
    const { result } = await renderIn(() => useRedeem(purchase), change)
    await waitFor(() => expect(result.current.step).toBe('failed'))
    expect(events).toEqual([
      { step: 'checking', durationMs: expect.any(Number), errorCode: 'ServiceUnreachableError' },
    ])
  })

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('The reporter is broken.')
      },
    ],
    ['rejects', () => Promise.reject(new Error('The reporter is offline.'))],
    ['never responds', () => new Promise(() => {})],
  ])('do not prevent the payment if the listener %s', async (_, onEvent) => {
    const { data, error } = await clicked('done', onEvent)
    expect([data?.outcome?.hash, error]).toEqual([data?.hash, null])
  })
})
