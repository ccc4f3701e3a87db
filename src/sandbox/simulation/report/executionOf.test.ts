import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { frame } from '../text/report.fixture.ts'
import { noCoin, outOfGas, reverted } from '../trace/frames.ts'
import { fixOf } from './executionOf.ts'

const failed = {
  frame: frame({ failure: reverted, output: '0x08c379a0' }),
  args: {},
  step: 'call',
} as const

const fix = (change: Partial<Parameters<typeof fixOf>[0]>) =>
  fixOf({ ...failed, error: undefined, reason: 'it reverted', ...change })

describe('what to change', () => {
  test.each<[Partial<Parameters<typeof fixOf>[0]>, string]>([
    [{ reason: outOfGas }, 'a loop that does not end'],
    [{ reason: noCoin }, 'a redeem pays in USDC only'],
    [{ reason: 'it has no function 0x12345678' }, 'the signature of the function'],
    [{ error: 'Panic', args: { code: 1n } }, 'the assert that does not hold'],
    [{ error: 'Panic', args: { code: 17n } }, 'a subtraction below zero'],
    [{ error: 'Panic', args: { code: 18n } }, 'a division by a value that is zero'],
    [{ error: 'Panic', args: { code: 50n } }, 'an index beyond the end'],
    [{ error: 'Panic', args: { code: 81n } }, 'an operation that the compiler guards'],
    [{ error: 'Error', reason: 'ERC20: transfer amount exceeds allowance' }, 'from msg.sender'],
    [{ error: 'ERC20InsufficientAllowance', reason: 'ERC20InsufficientAllowance: …' }, 'from msg.sender'],
    [{ error: 'Error', reason: 'ERC20: transfer amount exceeds balance' }, 'only what the contract has'],
    [
      { error: 'ERC20InsufficientBalance', reason: 'ERC20InsufficientBalance: …' },
      'only what the contract has',
    ],
    [{ reason: 'it reverted without a reason' }, 'a text, or a custom error'],
    [{ reason: 'it reverted with an error of selector 0x12345678' }, 'the ABI in which this error stands'],
    [{ error: 'SoldOut', reason: 'SoldOut: left 0' }, 'why the contract says SoldOut'],
  ])('%o', (change, words) => {
    expect(fix(change)).toContain(words)
  })

  test('of what the credits contract refuses itself is of its own, and not of a contract that says the same', () => {
    const error = 'InsufficientCredits'
    expect(fix({ error, step: 'redeem' })).toBe('Give the wallet credits of this seed first.')
    expect(fix({ error, step: 'call' })).toContain('why the contract says InsufficientCredits')
  })

  test('without an error, where the credits contract itself failed, is by the reason', () => {
    expect(fix({ step: 'redeem', reason: outOfGas })).toContain('a loop that does not end')
  })

  test('every error of which there is a word of one’s own is the contract’s', () => {
    const errors = creditsAbi.flatMap((item) => (item.type === 'error' ? [item.name] : []))
    const own = errors.filter(
      (error) => !fix({ error, step: 'redeem' }).startsWith('See why the contract says'),
    )
    expect(own).toEqual(
      expect.arrayContaining(['NotWhitelisted', 'NoTokensArrived', 'TokenIdNotReturned', 'EnforcedPause']),
    )
    expect(own.length).toBeGreaterThanOrEqual(20)
  })
})

test('a reason in words is quoted: Error is the name of every such error', () => {
  expect(fixOf({ ...failed, error: 'Error', reason: 'closed on Sundays' })).toMatch(
    /^See why the contract says "closed on Sundays": /,
  )
  expect(fixOf({ ...failed, error: 'SoldOut', reason: 'SoldOut: limit 5' })).toMatch(
    /^See why the contract says SoldOut: /,
  )
})

test('what the credits contract says is told apart from the same error of a merchant', () => {
  const error = 'EnforcedPause'
  expect(fixOf({ ...failed, step: 'redeem', error, reason: error })).toContain('credits contract goes on')
  expect(fixOf({ ...failed, error, reason: error })).toContain('See why the contract says EnforcedPause')
})

test('a token that cannot be handed on is the matter of its contract', () => {
  const handing = { ...failed, step: 'delivery', error: 'Error', reason: 'locked' } as const
  expect(fixOf(handing)).toContain('transfer the token to the customer')
})
