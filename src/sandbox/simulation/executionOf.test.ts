import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { executionOf, fixOf } from './executionOf.ts'
import { accounts, frame, redeemFrame } from './text/report.fixture.ts'
import { noCoin, outOfGas, reverted } from './trace/frames.ts'

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
    [{ error: 'Error', reason: 'ERC20: transfer amount exceeds balance' }, 'may be sold out'],
    [{ error: 'ERC20InsufficientBalance', reason: 'ERC20InsufficientBalance: …' }, 'may be sold out'],
    [{ error: 'ERC1155InsufficientBalance', reason: 'ERC1155InsufficientBalance: …' }, 'may be sold out'],
    [{ error: 'Error', reason: 'ERC1155: insufficient balance for transfer' }, 'may be sold out'],
    [{ error: 'Error', reason: 'Ownable: caller is not the owner' }, 'open to every account'],
    [{ error: 'Error', reason: 'UNAUTHORIZED' }, 'open to every account'],
    [{ error: 'Unauthorized', reason: 'Unauthorized' }, 'open to every account'],
    [{ error: 'Error', reason: 'Pausable: paused' }, 'Unpause the contract'],
    [{ error: 'EnforcedPause', reason: 'EnforcedPause' }, 'Unpause the contract'],
    [{ error: 'Error', reason: 'UNSAFE_RECIPIENT' }, 'a receiver that accepts tokens'],
    [
      { error: 'Error', reason: 'ERC721: transfer to non ERC721Receiver implementer' },
      'a receiver that accepts tokens',
    ],
    [
      { error: 'ERC721InvalidReceiver', reason: 'ERC721InvalidReceiver: …' },
      'a receiver that accepts tokens',
    ],
    [{ error: 'Error', reason: 'TRANSFER_FROM_FAILED' }, 'the failed token transfer'],
    [
      { error: 'SafeERC20FailedOperation', reason: 'SafeERC20FailedOperation: …' },
      'the failed token transfer',
    ],
    [{ error: 'Error', reason: 'UniswapV2Router: EXPIRED' }, 'a deadline at least 60 minutes ahead'],
    [{ error: 'SignatureExpired', reason: 'SignatureExpired: …' }, 'a deadline at least 60 minutes ahead'],
    [{ error: 'Expired', reason: 'Expired' }, 'the current time'],
    [{ error: 'Error', reason: 'ReentrancyGuard: reentrant call' }, 'again during the call'],
    [{ error: 'Panic', args: { code: 33n } }, 'a number that the enum has'],
    [{ error: 'Panic', args: { code: 49n } }, 'an empty array'],
    [{ error: 'Panic', args: { code: 65n } }, 'array that is too large'],
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

test('names a payment token other than USDC, even if a library replaces its error', async () => {
  const { credits, shop, stranger, usdc } = accounts
  const take = { abi: erc20Abi, functionName: 'transferFrom', args: [credits, shop, 10n ** 19n] } as const
  const failure = { failure: reverted } as const
  const pull = frame({
    ...failure,
    from: shop,
    to: stranger,
    input: encodeFunctionData(take),
    output: '0xfb8f41b2',
  })
  const call = frame({ ...failure, from: credits, to: shop, output: '0x7939f424', calls: [pull] })
  const execution = await executionOf(redeemFrame([call], { ...failure, output: call.output }), {
    client: { request: async () => '0x60' },
    blockNumber: 1n,
    abisOf: () => [],
    step: 'call',
    usdc,
    creditsContract: credits,
    lastCheck: async () => undefined,
  })
  expect(execution).toMatchObject({
    contract: shop,
    error: 'TransferFromFailed',
    fix: `Take the payment in the USDC of this chain: ${stranger} is a different token.`,
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
  expect(fixOf({ ...failed, error, reason: error })).toBe('Unpause the contract, or redeem later.')
})

test('asks to change the token contract if the token cannot be forwarded', () => {
  const handing = { ...failed, step: 'delivery', error: 'Error', reason: 'locked' } as const
  expect(fixOf(handing)).toContain('transfer the token to the customer')
})
