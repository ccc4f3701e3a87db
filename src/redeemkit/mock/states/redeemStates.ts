import { ServiceUnreachableError } from '../../api/errors.ts'
import { readServiceError } from '../../api/readServiceError.ts'
import { UserRejectedError, WalletRequestPendingError } from '../../core/errors/walletErrors.ts'
import { type WireErrorCode, wireErrors } from '../../core/errors/wireErrors.ts'
import { explorerUrl } from '../../core/explorerUrl.ts'
import { userMessage } from '../../core/userMessage/userMessage.ts'
import { ChainReadError } from '../../evm/client.ts'
import { ExpiredError } from '../../evm/values.ts'
import {
  GasFeeTooHighError,
  InsufficientFundsError,
  RedeemRevertedError,
  RedeemTimeoutError,
} from '../../redeem/errors.ts'
import { carryOpenRedeem } from '../../redeem/openRedeem.ts'
import { detailsOf } from '../service/faultOf.ts'
import { doneRedeem } from './doneRedeem.ts'
import type { RedeemScenario, RedeemState, ShownRedeem } from './redeemState.ts'

/**
 * Every state of a redeem button: each step of `useRedeem`, and each error that a person meets, with the words for it. For stories and
 * picture tests of a component that takes what `useRedeem` returns (`shown`), or calls it itself (`scenario`, which a mock is given).
 *
 * What is shown is for `mockPurchase`, 10 dollars of which 4 in USDC, on Base Sepolia, in English.
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
  state('wrongChain', { ...checked(), canPress: true }, { wallet: { chainId: 11155111 } }),
  state('switchingChain', checked(), { wallet: { chainId: 11155111, switchPrompt: 'hang' }, presses: 1 }),
  state('preparing', {}, { service: { faults: { creditsAuthMsg: 'hangs' } } }),
  state('checking', checked()),
  state('ready', { ...checked(), canPress: true }, {}),
  state('signingPermit', checked(), { wallet: { prompts: 'hang' }, presses: 1 }),
  state('secondPress', { ...checked(), canPress: true }, { presses: 1, secondPress: true }),
  state('signingUsdc', checked(), { wallet: { prompts: ['approve', 'hang'] }, presses: 1 }),
  state('submitting', sent(), { service: { faults: { sendGaslessTx: 'hangs' } }, presses: 1 }),
  state('lookingUp', sent()),
  state('confirming', { ...sent(), ...found() }, { service: { chain: 'waits' }, presses: 1 }),
  state('done', { ...found(), data: doneRedeem }, { presses: 1 }),
  state('waitingForOther', checked()),

  // What a person says, and what their wallet does
  state(
    'ready: the person said no',
    { ...checked(), canPress: true, ...failed(new UserRejectedError('The user rejected the request.')) },
    { wallet: { prompts: 'reject' }, presses: 1 },
  ),
  state(
    'ready: the person said no to the second prompt',
    { ...usdcLeft(), canPress: true, ...failed(new UserRejectedError('The user rejected the request.')) },
    { wallet: { prompts: ['approve', 'reject'] }, presses: 1 },
  ),
  state(
    'ready: another request is open in the wallet',
    {
      ...checked(),
      canPress: true,
      ...failed(new WalletRequestPendingError('The wallet shows another request.')),
    },
    { wallet: { prompts: 'pending' }, presses: 1 },
  ),
  state(
    'wrongChain: the person said no to the switch',
    {
      ...checked(),
      canPress: true,
      ...failed(new UserRejectedError('The user rejected the request.'), 'other'),
    },
    { wallet: { chainId: 11155111, switchPrompt: 'reject' }, presses: 1 },
  ),

  // What the person has
  state(
    'failed: too few credits',
    { canPress: true, ...failed(tooFew('credits', 1_000_000n, 6_030_000n)) },
    { service: { creditsCents: 100 } },
  ),
  state(
    'failed: too little USDC',
    { canPress: true, ...failed(tooFew('usdc', 1_000_000n, 4_000_000n)) },
    { service: { usdcCents: 100 } },
  ),

  // What service and chain say
  state(
    'failed: the gas fee is too high',
    { canPress: true, ...failed(new GasFeeTooHighError('The gas fee is above 100 cents.')) },
    { service: { gasFeeCents: 101 } },
  ),
  state(
    'failed: the service cannot be reached',
    { canPress: true, ...failed(new ServiceUnreachableError('No answer came.')) },
    { service: { faults: { creditsAuthMsg: 'offline' } } },
  ),
  state(
    'failed: the chain cannot be read',
    { canPress: true, ...failed(new ChainReadError('The node did not answer.')) },
    { service: { chain: 'fails' } },
  ),
  state(
    'failed: the permit ends too soon',
    { canPress: true, ...failed(new ExpiredError('The permit ends too soon.')) },
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

  // What left, and is not known yet
  state(
    'open: the transaction was reverted',
    { ...found(), canPress: true, ...failed(reverted()) },
    { service: { chain: 'reverts' }, presses: 1 },
  ),
  state('open: the chain takes longer than usual', {
    ...found(),
    canPress: true,
    ...failed(timedOut()),
  }),
]

type Shown = Partial<ShownRedeem>

/** A state by its name, of which the step is the first word. */
function state(name: string, shown: Shown, scenario?: Partial<RedeemScenario>): RedeemState {
  // Each name above begins with a step, which a test compares with the hook's own.
  const step = name.split(':')[0] as ShownRedeem['step']
  return {
    name,
    shown: {
      step,
      canPress: false,
      signing: undefined,
      prompts: [],
      elsewhere: [],
      network: 'Base Sepolia',
      data: undefined,
      explorerUrl: undefined,
      error: null,
      userMessage: undefined,
      press: () => {},
      reset: () => {},
      ...shown,
    },
    ...(scenario && {
      scenario: { service: {}, wallet: {}, isConnected: true, presses: 0, secondPress: false, ...scenario },
    }),
  }
}

/** What is about to be signed. */
function checked(): Shown {
  return {
    prompts: ['creditPermit', 'usdcAuthorization'],
    signing: {
      text: 'You send $10.00 to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 on Base Sepolia. Paid from your credits: $6.00. From your USDC: $4.00. From your credits for the network fee: at most $0.03.',
      credits: '$6.00',
      usdc: '$4.00',
      fee: '$0.03',
      most: '$10.03',
    },
  }
}

/** The permit is signed, and the USDC authorization is not. */
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
  return new InsufficientFundsError(`The wallet has too little in ${asset}.`, { asset, have, need })
}

/** An error of the wire, as the client makes one of it. */
function refused(code: WireErrorCode): RedeemState {
  const { name, status } = wireErrors[code]
  const body = { name, code, message: 'The service refuses.', details: detailsOf[code], requestId: 'mock' }
  const error = readServiceError(status, body, code === 'RATE_LIMITED' ? { retryAfter: '60' } : {})
  const fault = code === 'RATE_LIMITED' ? { code, retryAfterSeconds: 60 } : code
  return state(
    `failed: ${code}`,
    { canPress: true, ...failed(error) },
    { service: { faults: { creditsAuthMsg: fault } } },
  )
}

function reverted() {
  const { hash } = doneRedeem
  const reason = 'The mock says no.'
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
