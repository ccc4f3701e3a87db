import { ServiceUnreachableError } from '../api/errors.ts'
import { readServiceError } from '../api/readServiceError.ts'
import { UserRejectedError, WalletRequestPendingError } from '../core/errors/walletErrors.ts'
import { type WireErrorCode, wireErrors } from '../core/errors/wireErrors.ts'
import { explorerUrl } from '../core/explorerUrl.ts'
import { defaultMaxGasFeeCents } from '../core/limits.ts'
import { userMessage } from '../core/userMessage/userMessage.ts'
import { english, speak } from '../core/userMessage/userMessages.ts'
import { ChainReadError } from '../evm/client.ts'
import { ExpiredError } from '../evm/values.ts'
import {
  AlreadyRedeemedError,
  GasFeeTooHighError,
  InsufficientFundsError,
  RedeemRevertedError,
  RedeemTimeoutError,
} from '../redeem/errors.ts'
import { carryOpenRedeem } from '../redeem/openRedeem.ts'
import { doneRedeem, type RedeemScenario, type RedeemState, type ShownRedeem } from './redeemState.ts'
import { detailsOf } from './refusal.ts'

/**
 * Every state of a redeem button: each step of `useRedeem`, and each error that a customer sees, with its message. For stories
 * and screenshot tests of a component that takes the hook's result (`shown`) or calls the hook (`scenario`, for the mocks).
 *
 * The purchase is `mockPurchase` on Base Sepolia, in English.
 *
 * @example
 * ```ts
 * import { createMockService, createMockWallet, redeemStates } from 'redeemkit/mock'
 * const stories = redeemStates.map(({ name, shown, scenario }) => ({
 *   name,
 *   shown, // for a component that takes it as a property
 *   ...(scenario && {
 *     // for one that calls useRedeem, below providers of a wagmi config and a kit on these
 *     mock: createMockService(scenario.service),
 *     wallet: createMockWallet(scenario.wallet),
 *   }),
 * }))
 * ```
 */
export const redeemStates: readonly RedeemState[] = [
  state('notConnected', {}, { isConnected: false }),
  state('wrongChain', { ...checked(), canClick: true }, { wallet: { chainId: 11155111 } }),
  state('switchingChain', checked(), { wallet: { chainId: 11155111, switchPrompt: 'hang' }, clicks: 1 }),
  state('preparing', {}, { service: { faults: { creditsAuthMsg: 'hangs' } } }),
  state('checking', checked()),
  state('ready', { ...checked(), canClick: true }, {}),
  state('signingPermit', checked(), { wallet: { prompts: 'hang' }, clicks: 1 }),
  state('secondClick', { ...checked(), canClick: true }, { clicks: 1, secondClick: true }),
  state('signingUsdc', checked(), { wallet: { prompts: ['approve', 'hang'] }, clicks: 1 }),
  state('submitting', sent(), { service: { faults: { sendGaslessTx: 'hangs' } }, clicks: 1 }),
  state('lookingUp', sent()),
  state('stillWaiting', {
    ...sent(),
    canClick: true,
    userMessage: english.stillWaiting,
  }),
  state('confirming', { ...sent(), ...found() }, { service: { chain: 'waits' }, clicks: 1 }),
  state('done', { ...found(), data: doneRedeem }, { clicks: 1 }),
  state('waitingForOther', checked()),
  state('done: another account paid', { ...failed(paidByOther()), paidBy: doneRedeem.wallet }),

  // The customer and the wallet
  state(
    'ready: the request was rejected',
    { ...checked(), canClick: true, ...failed(new UserRejectedError('The user rejected the request.')) },
    { wallet: { prompts: 'reject' }, clicks: 1 },
  ),
  state(
    'ready: the second prompt was rejected',
    {
      ...usdcLeft(),
      canClick: true,
      ...failed(
        new UserRejectedError('The user signed the permit, but rejected the USDC authorization.', {
          cause: new UserRejectedError('The user rejected the request.'),
        }),
      ),
    },
    { wallet: { prompts: ['approve', 'reject'] }, clicks: 1 },
  ),
  state(
    'ready: another request is open in the wallet',
    {
      ...checked(),
      canClick: true,
      ...failed(new WalletRequestPendingError('The wallet shows another request.')),
    },
    { wallet: { prompts: 'pending' }, clicks: 1 },
  ),
  state(
    'wrongChain: the network switch was rejected',
    {
      ...checked(),
      canClick: true,
      ...failed(new UserRejectedError('The user rejected the request.'), 'other'),
    },
    { wallet: { chainId: 11155111, switchPrompt: 'reject' }, clicks: 1 },
  ),

  // Balances
  state(
    'failed: too few credits',
    { canClick: true, ...failed(tooFew('credits', 1_000_000n, 6_030_000n)) },
    { service: { creditsCents: 100 } },
  ),
  state(
    'failed: too little USDC',
    { canClick: true, ...failed(tooFew('usdc', 1_000_000n, 4_000_000n)) },
    { service: { usdcCents: 100 } },
  ),

  // The service and the chain
  state(
    'failed: the gas fee is too high',
    {
      canClick: true,
      ...failed(new GasFeeTooHighError(`The gas fee is above ${defaultMaxGasFeeCents} cents.`)),
    },
    { service: { gasFeeCents: defaultMaxGasFeeCents + 1 } },
  ),
  state(
    'failed: the service cannot be reached',
    { canClick: true, ...failed(new ServiceUnreachableError('No response arrived.')) },
    { service: { faults: { creditsAuthMsg: 'offline' } } },
  ),
  state(
    'failed: the chain cannot be read',
    { canClick: true, ...failed(new ChainReadError('The node did not respond.')) },
    { service: { chain: 'fails' } },
  ),
  state(
    'failed: the permit expires too soon',
    { canClick: true, ...failed(new ExpiredError('The permit expires too soon.')) },
    { service: { permitSeconds: 20 } },
  ),
  ...(
    [
      'UNAUTHENTICATED',
      'VERIFICATION_REQUIRED',
      'GEO_BLOCKED',
      'CUSTOMER_BLOCKED',
      'FORBIDDEN',
      'NOT_WHITELISTED',
      'SIMULATION_FAILED',
      'RATE_LIMITED',
      'INTERNAL',
      'UNAVAILABLE',
    ] as const
  ).map(refused),

  // Submitted, with an unknown outcome
  state(
    'open: the transaction was reverted',
    { ...found(), canClick: true, ...failed(reverted()) },
    { service: { chain: 'reverts' }, clicks: 1 },
  ),
  state('open: the chain takes longer than usual', {
    ...found(),
    canClick: true,
    ...failed(timedOut()),
  }),
]

type Shown = Partial<ShownRedeem>

/** The name begins with the step. */
function state(name: string, shown: Shown, scenario?: Partial<RedeemScenario>): RedeemState {
  // A test compares these names with the hook's steps.
  const step = name.split(':')[0] as ShownRedeem['step']
  return {
    name,
    shown: {
      step,
      label: labelOf(step, shown.canClick),
      canClick: false,
      canCancel: ['switchingChain', 'signingPermit', 'secondClick', 'signingUsdc'].includes(step),
      signing: undefined,
      prompts: [],
      elsewhere: [],
      network: 'Base Sepolia',
      data: undefined,
      paidBy: undefined,
      explorerUrl: undefined,
      error: null,
      userMessage: undefined,
      onClick: () => {},
      cancel: () => {},
      reset: () => {},
      ...shown,
    },
    ...(scenario && {
      scenario: { service: {}, wallet: {}, isConnected: true, clicks: 0, secondClick: false, ...scenario },
    }),
  }
}

function labelOf(step: ShownRedeem['step'], canClick = false): string {
  const key = step === 'stillWaiting' && canClick ? 'sendNow' : step
  return speak({}, `button.${key}`, { network: 'Base Sepolia', amount: '$10.00' })
}

function checked(): Shown {
  return {
    prompts: ['creditPermit', 'usdcAuthorization'],
    signing: {
      text: 'You send $10.00 to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 on Base Sepolia. From your credits: $6.00, plus a network fee of at most $0.03. From your USDC: $4.00.',
      credits: '$6.00',
      usdc: '$4.00',
      fee: '$0.03',
      most: '$10.03',
    },
  }
}

/** Returns the state after the permit and before the USDC authorization. */
function usdcLeft(): Shown {
  return { ...checked(), prompts: ['usdcAuthorization'] }
}

function sent(): Shown {
  return { prompts: ['creditPermit', 'usdcAuthorization'] }
}

function found(): Shown {
  return { explorerUrl: explorerUrl({ chainId: 84532, hash: doneRedeem.hash }) }
}

function failed(error: Error, about: 'payment' | 'other' = 'payment'): Shown {
  return { error, userMessage: userMessage(error, { network: 'Base Sepolia', about }) }
}

function tooFew(asset: 'credits' | 'usdc', have: bigint, need: bigint) {
  return new InsufficientFundsError(`The wallet has too little ${asset}.`, { asset, have, need })
}

function refused(code: WireErrorCode): RedeemState {
  const { name, status } = wireErrors[code]
  const body = { name, code, message: 'The service refuses.', details: detailsOf[code], requestId: 'mock' }
  const error = readServiceError(status, body, code === 'RATE_LIMITED' ? { retryAfter: '60' } : {})
  const fault = code === 'RATE_LIMITED' ? { code, retryAfterSeconds: 60 } : code
  return state(
    `failed: ${code}`,
    { canClick: true, ...failed(error) },
    { service: { faults: { creditsAuthMsg: fault } } },
  )
}

function paidByOther() {
  return new AlreadyRedeemedError('The order is already redeemed.', { paidBy: doneRedeem.wallet })
}

function reverted() {
  const { hash } = doneRedeem
  const reason = 'Rejected by the mock.'
  const error = new RedeemRevertedError(`Transaction ${hash} was mined and reverted: ${reason}`, {
    hash,
    reason,
    revertData: undefined,
  })
  return carryOpenRedeem(error, openRedeem())
}

function timedOut() {
  return carryOpenRedeem(new RedeemTimeoutError('No outcome after 120000 ms.'), openRedeem())
}

function openRedeem() {
  const { wallet, nonce, creditsContract, chainId, hash } = doneRedeem
  return { wallet, nonce, creditsContract, chainId, hash, validBefore: '1800001800' }
}
