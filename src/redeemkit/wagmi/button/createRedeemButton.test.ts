import { describe, expect, test } from 'vitest'
import { createRedeemButton, type RunControl } from './createRedeemButton.ts'

const never = () => new Promise<never>(() => {})

/** A button with a running redeem, and the controls that its runs received. */
function running(secondClick = false) {
  const button = createRedeemButton()
  const runs: RunControl[] = []
  const run = (control: RunControl) => {
    runs.push(control)
    return never()
  }
  button.redeem({ purchase: 'one', secondClick, run })
  return { button, runs, run }
}

describe('one click at a time', () => {
  test('a second click for the same purchase runs nothing', () => {
    const { button, runs, run } = running()
    button.redeem({ purchase: 'one', secondClick: false, run })
    expect(runs).toHaveLength(1)
  })

  test('a click for another purchase aborts the unsigned redeem', () => {
    const { button, runs, run } = running()
    button.redeem({ purchase: 'two', secondClick: false, run })
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(button.getState().purchase).toBe('two')
  })
})

describe('reset', () => {
  test.each([
    ['signed now', { step: 'signed', signed: {} }],
    ['signed before', { step: 'resuming', signed: true }],
  ])('does not abort a redeem that was %s', async (_, step) => {
    const { button, runs } = running()
    await runs[0]?.onStep(step as never)
    button.reset()
    expect(runs[0]?.signal.aborted).toBe(false)
    expect(button.getState().status).toBe('idle')
  })

  test('ignores later steps of the earlier run', async () => {
    const { button, runs } = running()
    button.reset()
    await runs[0]?.onStep({ step: 'preparing' })
    expect(button.getState().status).toBe('idle')
  })

  test('keeps the next run if the earlier one fails', async () => {
    const button = createRedeemButton()
    let fail = () => {}
    const first = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('too late'))
    })
    button.redeem({ purchase: 'one', secondClick: false, run: () => first })
    button.redeem({ purchase: 'two', secondClick: false, run: never })
    fail()
    await expect(first).rejects.toThrow('too late')
    await Promise.resolve()
    expect(button.getState()).toMatchObject({ purchase: 'two', status: 'running', error: null })
    // A payment is in progress, so another button starts nothing.
    button.redeem({
      purchase: 'two',
      secondClick: false,
      run: () => Promise.reject(new Error('clicked again')),
    })
    await Promise.resolve()
    expect(button.getState()).toMatchObject({ status: 'running', error: null })
  })

  test('unmounting another purchase aborts nothing', () => {
    const { button, runs } = running()
    button.mount('two')()
    expect(runs[0]?.signal.aborted).toBe(false)
  })
})

describe('the second prompt', () => {
  const second = { step: 'signing', prompt: 'usdcAuthorization' } as const

  test('waits for a second click when secondClick is set', async () => {
    const { button, runs } = running(true)
    await runs[0]?.onStep({ step: 'permitSigned' } as never)
    let hasContinued = false
    const step = runs[0]?.onStep(second).then(() => {
      hasContinued = true
    })
    await Promise.resolve()
    expect([button.getState().status, hasContinued]).toEqual(['secondClick', false])
    button.confirmSecondPrompt()
    await step
    expect([button.getState().status, hasContinued]).toEqual(['running', true])
  })

  test('opens immediately if an earlier click signed the permit', async () => {
    const { button, runs } = running(true)
    await runs[0]?.onStep(second)
    expect(button.getState()).toMatchObject({ status: 'running', prompt: 'usdcAuthorization' })
  })
})

test('a thrown value that is not an error becomes one', async () => {
  const button = createRedeemButton()
  button.redeem({ purchase: 'one', secondClick: false, run: () => Promise.reject('text') })
  await expect.poll(() => button.getState().status).toBe('failed')
  expect(button.getState().error).toBeInstanceOf(Error)
})
