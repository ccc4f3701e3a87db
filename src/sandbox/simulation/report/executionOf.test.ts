import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { accounts, frame } from '../text/report.fixture.ts'
import { noCoin, outOfGas, reverted } from '../trace/frames.ts'
import { fixOf } from './executionOf.ts'

const failed = {
  frame: frame({ failure: reverted, output: '0x08c379a0' }),
  args: {},
  step: 'call',
  caller: accounts.credits,
} as const

const fix = (change: Partial<Parameters<typeof fixOf>[0]>) =>
  fixOf({ ...failed, error: undefined, reason: 'it reverted', ...change })

describe('the fix for a failure', () => {
  test.each<[Partial<Parameters<typeof fixOf>[0]>, string]>([
    [{ reason: outOfGas }, 'an endless loop'],
    [{ reason: noCoin }, 'a redeem pays in USDC only'],
    [{ reason: 'it has no function 0x12345678' }, 'the function signature'],
    [{ error: 'Panic', args: { code: 1n } }, 'which assert fails'],
    [{ error: 'Panic', args: { code: 17n } }, 'an arithmetic underflow'],
    [{ error: 'Panic', args: { code: 18n } }, 'a division by zero'],
    [{ error: 'Panic', args: { code: 50n } }, 'an array index out of bounds'],
    [{ error: 'Panic', args: { code: 81n } }, 'compiler-checked operations'],
    [{ error: 'Error', reason: 'ERC20: transfer amount exceeds allowance' }, 'from msg.sender'],
    [{ error: 'ERC20InsufficientAllowance', reason: 'ERC20InsufficientAllowance: …' }, 'from msg.sender'],
    [{ error: 'Error', reason: 'ERC20: transfer amount exceeds balance' }, 'only what the contract has'],
    [
      { error: 'ERC20InsufficientBalance', reason: 'ERC20InsufficientBalance: …' },
      'only what the contract has',
    ],
    [{ reason: 'it reverted without a reason' }, 'a message or custom error'],
    [
      {
        frame: frame({ failure: reverted, output: `0x12345678${'00'.repeat(32)}` }),
        reason: 'it reverted with …',
      },
      'npx redeemkit decode 0x12345678 --abi out',
    ],
    [{ error: 'NotMember', args: { account: accounts.credits } }, 'NotMember names the credits contract'],
    [{ error: 'Error', reason: `missing role: ${accounts.credits.toLowerCase()}` }, 'the message names'],
    [
      { reason: `it reverted without a reason, after it compared ${accounts.credits} with 0` },
      'the failed check names the credits contract',
    ],
    [{ error: 'SoldOut', reason: 'SoldOut: left 0' }, 'why the contract reverts with SoldOut'],
  ])('%o', (change, text) => {
    expect(fix(change)).toContain(text)
  })

  test('gives the credits contract’s fix only for its own error, not for the same error of another contract', () => {
    const error = 'InsufficientCredits'
    expect(fix({ error, step: 'redeem' })).toBe('Add credits with this credit seed to the wallet first.')
    expect(fix({ error, step: 'call' })).toContain('why the contract reverts with InsufficientCredits')
  })

  test('uses the reason for the fix if the credits contract fails without an error', () => {
    expect(fix({ step: 'redeem', reason: outOfGas })).toContain('an endless loop')
  })

  test('has fixes only for errors that the credits contract declares', () => {
    const errors = creditsAbi.flatMap((item) => (item.type === 'error' ? [item.name] : []))
    const own = errors.filter(
      (error) => !fix({ error, step: 'redeem' }).startsWith('Check why the contract reverts with'),
    )
    expect(own).toEqual(
      expect.arrayContaining(['NotWhitelisted', 'NoTokensArrived', 'TokenIdNotReturned', 'EnforcedPause']),
    )
    expect(own.length).toBeGreaterThanOrEqual(20)
  })
})

test('quotes the text of a require, because its error is always named Error', () => {
  expect(fixOf({ ...failed, error: 'Error', reason: 'closed on Sundays' })).toMatch(
    /^Check why the contract reverts with "closed on Sundays": /,
  )
  expect(fixOf({ ...failed, error: 'SoldOut', reason: 'SoldOut: limit 5' })).toMatch(
    /^Check why the contract reverts with SoldOut: /,
  )
})

test('distinguishes an error of the credits contract from the same error of a merchant', () => {
  const error = 'EnforcedPause'
  expect(fixOf({ ...failed, step: 'redeem', error, reason: error })).toContain('credits contract is unpaused')
  expect(fixOf({ ...failed, error, reason: error })).toContain(
    'Check why the contract reverts with EnforcedPause',
  )
})

test('asks to change the token contract if the token cannot be forwarded', () => {
  const handing = { ...failed, step: 'delivery', error: 'Error', reason: 'locked' } as const
  expect(fixOf(handing)).toContain('transfer the token to the customer')
})
