import { describe, expect, test } from 'vitest'
import { createRedeemPress, type PressControl } from './createRedeemButton.ts'

const never = () => new Promise<never>(() => {})

/** A press that is under way, and what it was told to run. */
function running(secondPress = false) {
  const press = createRedeemPress()
  const runs: PressControl[] = []
  const run = (control: PressControl) => {
    runs.push(control)
    return never()
  }
  press.redeem({ purchase: 'one', secondPress, run })
  return { press, runs, run }
}

describe('one press at a time', () => {
  test('a second one for the same purchase runs nothing', () => {
    const { press, runs, run } = running()
    press.redeem({ purchase: 'one', secondPress: false, run })
    expect(runs).toHaveLength(1)
  })

  test('one for another purchase aborts what is not signed', () => {
    const { press, runs, run } = running()
    press.redeem({ purchase: 'two', secondPress: false, run })
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(press.getState().purchase).toBe('two')
  })
})

describe('leaving', () => {
  test.each([
    ['signed now', { step: 'signed', signed: {} }],
    ['signed before', { step: 'resuming', signed: true }],
  ])('does not abort what was %s', async (_, step) => {
    const { press, runs } = running()
    await runs[0]?.onStep(step as never)
    press.leave()
    expect(runs[0]?.signal.aborted).toBe(false)
    expect(press.getState().status).toBe('idle')
  })

  test('is not listened to by what goes on', async () => {
    const { press, runs } = running()
    press.leave()
    await runs[0]?.onStep({ step: 'preparing' })
    expect(press.getState().status).toBe('idle')
  })

  test('lets the next one go on, whatever becomes of it', async () => {
    const press = createRedeemPress()
    let fail = () => {}
    const first = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('too late'))
    })
    press.redeem({ purchase: 'one', secondPress: false, run: () => first })
    press.redeem({ purchase: 'two', secondPress: false, run: never })
    fail()
    await expect(first).rejects.toThrow('too late')
    await Promise.resolve()
    expect(press.getState()).toMatchObject({ purchase: 'two', status: 'running', error: null })
    // It runs still: a further press runs nothing.
    press.redeem({
      purchase: 'two',
      secondPress: false,
      run: () => Promise.reject(new Error('pressed again')),
    })
    await Promise.resolve()
    expect(press.getState()).toMatchObject({ status: 'running', error: null })
  })

  test('one purchase leaves another one alone', () => {
    const { press, runs } = running()
    press.attend('two')()
    expect(runs[0]?.signal.aborted).toBe(false)
  })
})

describe('the second prompt', () => {
  const second = { step: 'signing', prompt: 'usdcAuthorization' } as const

  test('waits for a second press where that is asked', async () => {
    const { press, runs } = running(true)
    await runs[0]?.onStep({ step: 'permitSigned' } as never)
    let hasGoneOn = false
    const step = runs[0]?.onStep(second).then(() => {
      hasGoneOn = true
    })
    await Promise.resolve()
    expect([press.getState().status, hasGoneOn]).toEqual(['secondPress', false])
    press.goOn()
    await step
    expect([press.getState().status, hasGoneOn]).toEqual(['running', true])
  })

  test('comes at once when the permit was signed by an earlier press: it is the first one then', async () => {
    const { press, runs } = running(true)
    await runs[0]?.onStep(second)
    expect(press.getState()).toMatchObject({ status: 'running', prompt: 'usdcAuthorization' })
  })
})

test('whatever is thrown ends as an error', async () => {
  const press = createRedeemPress()
  press.redeem({ purchase: 'one', secondPress: false, run: () => Promise.reject('text') })
  await expect.poll(() => press.getState().status).toBe('failed')
  expect(press.getState().error).toBeInstanceOf(Error)
})
