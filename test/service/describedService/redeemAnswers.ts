import { type Hex, type TypedDataDefinition, toHex, verifyTypedData } from 'viem'
import type { SendGaslessTxBody } from '../../../src/redeemkit/schema/index.ts'

/**
 * Follows get-evm-credits-auth-msg and send-evm-credits-gasless-tx of https://docs.coinflow.cash/api-reference/api-reference/redeem: exactly
 * four fields in the first response, a hash in the second.
 */
export function redeemAnswers(options: redeemAnswers.Options): redeemAnswers.ReturnType {
  const {
    domain,
    creditSeed,
    hashOf = () => randomBytes32(),
    verifyPermit = verifyTypedData,
    now = () => Date.now(),
  } = options
  const given = new Map<string, PermitMessage>()
  const state = { gasFee: 30_000, credits: Number.MAX_SAFE_INTEGER, permitSeconds: 1_800 }

  return {
    state,
    given: (wallet, nonce) => given.get(keyOf(wallet, nonce)),
    creditsAuthMsg: (wallet, body) => {
      const creditsRawAmount = totalOf(body) + state.gasFee
      if (creditsRawAmount > state.credits) throw notEnoughCredits()
      const validBefore = String(Math.floor(now() / 1000) + state.permitSeconds)
      const nonce = randomBytes32()
      const message = { customerWallet: wallet, creditSeed, amount: creditsRawAmount, validBefore, nonce }
      given.set(keyOf(wallet, nonce), message)
      return {
        message: JSON.stringify({ ...typedData(domain), message }),
        validBefore,
        nonce,
        creditsRawAmount,
      }
    },
    sendGaslessTx: async (wallet, body) => {
      const { nonce, validBefore, creditsRawAmount, signedMessages } = body
      const permit = given.get(keyOf(wallet, nonce))
      // The description does not specify the response to an unknown permit or a wrong signature.
      if (permit?.validBefore !== validBefore || permit.amount !== creditsRawAmount)
        throw new Refusal(400, { name: 'BadRequest', message: 'Invalid permit' })
      const isSigned = await verifyPermit({
        ...typedData(domain),
        address: wallet,
        message: { ...permit, amount: BigInt(permit.amount), validBefore: BigInt(permit.validBefore) },
        signature: signedMessages.permitCredits,
      })
      if (!isSigned) throw new Refusal(400, { name: 'BadRequest', message: 'Invalid signature' })
      const total = totalOf(body) + state.gasFee
      if (total > permit.amount) throw exceedsAuthorized(total, permit.amount)
      if (total > state.credits) throw notEnoughCredits()
      return { hash: await hashOf({ wallet, body, permit }) }
    },
  }
}

export declare namespace redeemAnswers {
  type Options = {
    domain: { name: string; version: string; chainId: number; verifyingContract: Hex }
    creditSeed: string
    /** For example the hash of a transaction that the test built from the redeem. Default: random. */
    hashOf?: ((submitted: Submitted) => Hex | Promise<Hex>) | undefined
    /** Default: verifies only key-held accounts. */
    verifyPermit?:
      | ((permit: TypedDataDefinition & { address: Hex; signature: Hex }) => Promise<boolean>)
      | undefined
    now?: (() => number) | undefined
  }
  type ReturnType = {
    /** A test changes it while the service runs: fee and credits in raw units, and the lifetime of a permit. */
    state: { gasFee: number; credits: number; permitSeconds: number }
    given: (wallet: Hex, nonce: Hex) => PermitMessage | undefined
    creditsAuthMsg: (
      wallet: Hex,
      body: RedeemTerms,
    ) => { message: string; validBefore: string; nonce: Hex; creditsRawAmount: number }
    sendGaslessTx: (wallet: Hex, body: SendGaslessTxBody) => Promise<{ hash: Hex }>
  }
}

type Submitted = { wallet: Hex; body: SendGaslessTxBody; permit: PermitMessage }

type PermitMessage = {
  customerWallet: Hex
  creditSeed: string
  amount: number
  validBefore: string
  nonce: Hex
}

type RedeemTerms = Pick<SendGaslessTxBody, 'subtotal' | 'usdcAmount'>

export class Refusal extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`${status}`)
    this.status = status
    this.body = body
  }
}

/** All 256 bits are random. */
export function randomBytes32(): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

/** In raw units, 6 decimals. */
function totalOf({ subtotal, usdcAmount }: RedeemTerms): number {
  const amount = 'cents' in subtotal ? subtotal.cents * 10_000 : Math.round(Number(subtotal.amount) * 1e6)
  return amount - (usdcAmount?.cents ?? 0) * 10_000
}

/** As described: 412 with an ApiError of name and message. */
function notEnoughCredits(): Refusal {
  return new Refusal(412, {
    name: 'PreconditionFailed',
    message: 'Wallet does not have enough credits to complete redeem request',
  })
}

/** Not described, but seen on a live service (PROTOCOL.md 7.1): the specific message is in `details`. */
function exceedsAuthorized(total: number, authorized: number): Refusal {
  const usd = (raw: number) => (raw / 1e6).toFixed(2)
  return new Refusal(412, {
    message: 'Error Processing your request',
    details: `Total ${usd(total)} exceeds max credits authorized ${usd(authorized)}`,
  })
}

function keyOf(wallet: string, nonce: string): string {
  return `${wallet} ${nonce}`.toLowerCase()
}

/** The layout of a live message (test/vectors/credit-permit.json). */
function typedData(domain: redeemAnswers.Options['domain']) {
  return {
    domain,
    primaryType: 'CreditsAuthorization',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      CreditsAuthorization: [
        { name: 'customerWallet', type: 'address' },
        { name: 'creditSeed', type: 'string' },
        { name: 'amount', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
  } as const
}
