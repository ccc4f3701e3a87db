import type { Address } from 'viem'
import { amountPerCent } from '../core/amount/centsToAmount.ts'
import type { AuthMessageResponse } from '../schema/auth.ts'
import {
  cardCheckoutBody,
  mobileAppBody,
  pixBody,
  savedCardBody,
  totalsBody,
  wireTokenBody,
  zeroAuthorizationBody,
} from '../schema/checkout.ts'
import { creditsAuthMsgBody } from '../schema/creditsAuthMsg.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { sendGaslessTxBody } from '../schema/sendGaslessTxBody.ts'
import { purchaseSubscriptionBody } from '../schema/subscription.ts'
import { usdcAuthorizationBody } from '../schema/usdcAuthorization.ts'
import { mineRedeems } from './blocks.ts'
import {
  cardAnswer,
  mobileAppAnswer,
  pixAnswer,
  subscribeAnswer,
  totalsAnswer,
  wireAnswer,
  zeroAnswer,
} from './checkoutAnswers.ts'
import { fundsOf, hashOf, type MockCall, type MockWorld } from './mockWorld.ts'
import { prepareAnswer, submitAnswer, usdcAnswer } from './redeemAnswers.ts'
import { Refusal } from './refusal.ts'

/** A call as the service reads it. */
export type Asked = {
  body: unknown
  wallet: Address | undefined
  /** Whether it has a sign-in credential. */
  isSignedIn: boolean
}

/** The answer of each call, or a refusal. Throws for an invalid body, as `parseRecord` does. */
export const answers: Readonly<Record<MockCall, (world: MockWorld, asked: Asked) => unknown>> = {
  getAuthMessage: (world, asked) => withWallet(asked, ({ wallet }) => signInAnswer(world, wallet)),
  verifyAuth: (_, { isSignedIn }) => (isSignedIn ? {} : signedOut()),
  getSessionKey: () => ({ key: 'mock-session-key' }),
  creditsAuthMsg: (world, asked) =>
    forSignedIn(world, asked, ({ body, wallet }) =>
      prepareAnswer(world, { body: parseRecord(creditsAuthMsgBody, body), wallet }),
    ),
  sendGaslessTx: (world, asked) =>
    forSignedIn(world, asked, ({ body, wallet }) =>
      submitAnswer(world, { body: parseRecord(sendGaslessTxBody, body), wallet }),
    ),
  getBalances: (world, asked) =>
    forSignedIn(world, asked, ({ wallet }) => {
      mineRedeems(world)
      const { credits, usdc } = fundsOf(world, wallet)
      return {
        credits: { cents: Number(credits / amountPerCent) },
        usdc: { cents: Number(usdc / amountPerCent) },
      }
    }),
  getContractAddress: ({ terms }) => ({ address: terms.pinned.creditsContract }),
  usdcAuthorization: (world, asked) =>
    withWallet(asked, ({ body, wallet }) =>
      usdcAnswer(world, { body: parseRecord(usdcAuthorizationBody, body), wallet }),
    ),
  getTotals: (_, { body }) => totalsAnswer(parseRecord(totalsBody, body)),
  cardCheckout: (world, { body, wallet }) => cardAnswer(world, parseRecord(cardCheckoutBody, body), wallet),
  savedCardCheckout: (world, { body, wallet }) => cardAnswer(world, parseRecord(savedCardBody, body), wallet),
  zeroAuthorization: (world, { body }) => {
    parseRecord(zeroAuthorizationBody, body)
    return zeroAnswer(world)
  },
  wireTokenCheckout: (world, { body }) => wireAnswer(world, parseRecord(wireTokenBody, body)),
  pixCheckout: (world, { body }) => pixAnswer(world, parseRecord(pixBody, body)),
  mobileAppCheckout: (world, { body }) => mobileAppAnswer(world, parseRecord(mobileAppBody, body)),
  getSavedCards: ({ settings }) => settings.cards,
  getPurchases: ({ purchases }) => ({ purchases: purchases.slice(0, 20) }),
  getPlans: ({ settings }) => settings.plans,
  purchaseSubscription: (world, { body }) =>
    subscribeAnswer(world, parseRecord(purchaseSubscriptionBody, body)),
}

type WithWallet = Asked & { wallet: Address }

function withWallet<answer>(asked: Asked, answer: (asked: WithWallet) => answer): answer | Refusal {
  const { wallet } = asked
  return wallet === undefined
    ? new Refusal('INVALID_REQUEST', 'The header that names the wallet is missing.', { issues: ['wallet'] })
    : answer({ ...asked, wallet })
}

function forSignedIn<answer>(
  { settings }: MockWorld,
  asked: Asked,
  answer: (asked: WithWallet) => answer,
): answer | Refusal {
  return settings.needsSignIn && !asked.isSignedIn ? signedOut() : withWallet(asked, answer)
}

const signedOut = () => new Refusal('UNAUTHENTICATED', 'This wallet is not signed in.')

/** A sign-in message (EIP-4361), valid for 24 hours. */
export function signInAnswer({ terms }: MockWorld, wallet: Address): AuthMessageResponse {
  const { host, origin } = new URL(terms.baseUrl)
  const now = terms.now()
  const at = (ms: number) => new Date(ms).toISOString()
  const message = [
    `${host} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    'Sign in to pay with your credits.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${terms.chainId}`,
    `Nonce: ${hashOf(globalThis.crypto.randomUUID()).slice(2, 18)}`,
    `Issued At: ${at(now)}`,
    `Expiration Time: ${at(now + 86_400_000)}`,
  ].join('\n')
  return { message }
}
