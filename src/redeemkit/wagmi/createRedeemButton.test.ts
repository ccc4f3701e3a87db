import { describe, expect, test } from 'vitest'
import { createRedeemButton, type RunControl } from './createRedeemButton.ts'

const never = () => new Promise<never>(() => {})

/** Creates a button with a running redeem, and returns the controls of each run. */
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
  test('a second click for the same purchase does nothing', () => {
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

  test('keeps the next run if the earlier run fails', async () => {
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
    // While a payment is in progress, another button starts nothing.
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

  test('does not open after a reset', async () => {
    const { button, runs } = running(true)
    await runs[0]?.onStep({ step: 'permitSigned' } as never)
    const step = runs[0]?.onStep(second)
    await Promise.resolve()
    button.confirmSecondPrompt()
    button.reset()
    await step
    expect(button.getState().status).toBe('idle')
  })

  test('is the USDC prompt: a repeated permit prompt opens immediately', async () => {
    const { button, runs } = running(true)
    await runs[0]?.onStep({ step: 'permitSigned' } as never)
    await runs[0]?.onStep({ step: 'signing', prompt: 'creditPermit' })
    expect(button.getState()).toMatchObject({ status: 'running', prompt: 'creditPermit' })
  })

  test('opens immediately if an earlier click signed the permit', async () => {
    const { button, runs } = running(true)
    button.confirmSecondPrompt() // there is nothing to confirm yet
    await runs[0]?.onStep(second)
    expect(button.getState()).toMatchObject({ status: 'running', prompt: 'usdcAuthorization' })
  })
})

describe('cancel', () => {
  const permit = { step: 'signing', prompt: 'creditPermit' }
  test.each<[string, object[], boolean]>([
    ['before the wallet is asked', [{ step: 'preparing' }], false],
    ['while the wallet is asked', [permit], true],
    ['between two prompts', [permit, { step: 'permitSigned' }], true],
    ['after everything is signed', [permit, { step: 'signed' }, { step: 'submitting', attempt: 1 }], false],
    ['of a redeem that an earlier click signed', [{ step: 'resuming', signed: true }], false],
    ['of a redeem that an earlier click began', [{ step: 'resuming', signed: false }, permit], true],
    [
      'of a repeated permit, after one was submitted',
      [{ step: 'signed' }, { step: 'preparingAgain' }, permit],
      false,
    ],
  ])('%s', async (_, steps, cancels) => {
    const { button, runs } = running()
    for (const step of steps) await runs[0]?.onStep(step as never)
    button.cancel()
    expect([runs[0]?.signal.aborted, button.getState().status]).toEqual(
      cancels ? [true, 'idle'] : [false, 'running'],
    )
  })

  test('keeps the error after a failure', async () => {
    const button = createRedeemButton()
    const leave = button.mount('one', 'alice')
    button.redeem({
      purchase: 'one',
      secondClick: false,
      run: async ({ onStep }) => {
        await onStep({ step: 'signing', prompt: 'creditPermit' })
        throw new Error('rejected')
      },
    })
    await expect.poll(() => button.getState().status).toBe('failed')
    button.cancel()
    expect(button.getState()).toMatchObject({ status: 'failed', about: 'payment' })
    leave()
    button.mount('two', 'bob')
    expect(button.getState().error).toBeNull()
  })

  test('ends a network switch', () => {
    const button = createRedeemButton()
    let own: AbortSignal | undefined
    button.switchChain({
      purchase: 'one',
      run: (signal) => {
        own = signal
        return never()
      },
    })
    expect(button.getState()).toMatchObject({ status: 'switchingChain', about: 'other' })
    button.cancel()
    expect([own?.aborted, button.getState().status]).toEqual([true, 'idle'])
  })

  test('ends the wait for a second click: a late click does not continue', async () => {
    const { button, runs } = running(true)
    await runs[0]?.onStep({ step: 'permitSigned' } as never)
    void runs[0]?.onStep({ step: 'signing', prompt: 'usdcAuthorization' })
    await Promise.resolve()
    button.cancel()
    button.confirmSecondPrompt()
    await Promise.resolve()
    expect([runs[0]?.signal.aborted, button.getState().status]).toEqual([true, 'idle'])
  })
})

describe('a change of account or purchase', () => {
  const permit = { step: 'signing', prompt: 'creditPermit' } as const

  test.each([
    ['another account', 'bob', false],
    ['no account', undefined, true],
  ])('while a prompt is open: %s sees that nothing was paid', async (_, account, isDisconnected) => {
    const { button, runs } = running()
    const leave = button.mount('one', 'alice')
    await runs[0]?.onStep(permit)
    leave()
    expect(runs[0]?.signal.aborted).toBe(true)
    button.mount('two', account)
    expect(button.getState()).toMatchObject({
      status: 'failed',
      purchase: 'two',
      error: { name: 'AccountChangedError', isDisconnected },
    })
    button.mount('three', 'carol')
    expect(button.getState().purchase).toBe('two')
  })

  test.each([
    ['for the same account', permit, 'alice'],
    ['before the wallet was asked', { step: 'preparing' } as const, 'bob'],
  ])('%s does not report an error', async (_, step, account) => {
    const { button, runs } = running()
    const leave = button.mount('one', 'alice')
    await runs[0]?.onStep(step)
    leave()
    button.mount('two', account)
    expect(button.getState()).toMatchObject({ status: 'idle', error: null })
  })
})

describe('the steps of a redeem', () => {
  test('a wait lasts until the service responds, and the customer can shorten it only while it lasts', async () => {
    const { button, runs } = running()
    const step = async (next: object) => {
      await runs[0]?.onStep(next as never)
      const { step, sendNow, hash } = button.getState()
      return [step, sendNow !== undefined, hash]
    }
    const sendNow = () => {}
    expect(await step({ step: 'submitting', attempt: 1 })).toEqual(['submitting', false, undefined])
    expect(await step({ step: 'stillWaiting', sendNow })).toEqual(['stillWaiting', true, undefined])
    expect(await step({ step: 'lookingUp' })).toEqual(['stillWaiting', true, undefined])
    expect(await step({ step: 'submitting', attempt: 2 })).toEqual(['stillWaiting', true, undefined])
    const submitted = { hash: '0x12' }
    expect(await step({ step: 'submitted', submitted })).toEqual(['submitted', false, '0x12'])
    expect(await step({ step: 'waiting' })).toEqual(['waiting', false, '0x12'])
  })

  test('the prompt is shown while it is open, and each signature once it exists', async () => {
    const { button, runs } = running()
    await runs[0]?.onStep({ step: 'prepared', prepared: 'prepared' } as never)
    await runs[0]?.onStep({ step: 'signing', prompt: 'creditPermit' })
    expect(button.getState()).toMatchObject({ prompt: 'creditPermit', prepared: 'prepared' })
    await runs[0]?.onStep({ step: 'signed' } as never)
    expect(button.getState().prompt).toBeUndefined()
  })

  test('the result is shown, and the next click starts a new redeem', async () => {
    const button = createRedeemButton()
    const seen: string[] = []
    const stop = button.subscribe(() => seen.push(button.getState().status))
    const data = { hash: '0x12' }
    button.redeem({ purchase: 'one', secondClick: false, run: async () => data as never })
    await expect.poll(() => button.getState()).toMatchObject({ status: 'done', hash: '0x12', data })
    stop()
    button.redeem({ purchase: 'one', secondClick: false, run: never })
    expect(button.getState()).toMatchObject({ status: 'running', hash: undefined, data: undefined })
    expect(seen).toEqual(['running', 'done'])
  })

  test('after a network switch, the button is idle or shows its error', async () => {
    const button = createRedeemButton()
    button.switchChain({ purchase: 'one', run: async () => {} })
    await expect.poll(() => button.getState().status).toBe('idle')
    button.switchChain({ purchase: 'one', run: () => Promise.reject(new Error('no')) })
    await expect.poll(() => button.getState()).toMatchObject({ status: 'failed', about: 'other' })
  })

  test('without a redeem, a reset changes nothing', () => {
    const button = createRedeemButton()
    let changes = 0
    button.subscribe(() => changes++)
    button.reset()
    expect(changes).toBe(0)
  })
})

test('a thrown value that is not an error is wrapped in an Error', async () => {
  const button = createRedeemButton()
  button.redeem({ purchase: 'one', secondClick: false, run: () => Promise.reject('text') })
  await expect.poll(() => button.getState().status).toBe('failed')
  expect(button.getState().error).toBeInstanceOf(Error)
})
