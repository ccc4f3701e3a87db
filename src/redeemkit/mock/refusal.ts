import { type WireErrorCode, wireErrors } from '../core/errors/wireErrors.ts'
import type { MockCall, MockFault, MockWorld } from './mockWorld.ts'

/** A refusal of the mock's service, sent as a wire error (PROTOCOL.md 7.1). */
export class Refusal {
  constructor(
    readonly code: WireErrorCode,
    readonly message: string,
    readonly more: {
      details?: Readonly<Record<string, unknown>> | undefined
      issues?: readonly string[] | undefined
      retryAfterSeconds?: number | undefined
    } = {},
  ) {}
}

export function faultOf(
  { settings, asked }: MockWorld,
  call: MockCall,
): 'offline' | 'lost' | 'hangs' | Refusal | undefined {
  const given = settings.faults[call]
  const times = asked.filter((one) => one.call === call).length
  const fault = isList(given) ? given[times - 1] : given
  if (fault === undefined || fault === 'offline' || fault === 'lost' || fault === 'hangs') return fault
  const facts: Facts = typeof fault === 'string' ? { code: fault } : fault
  const { code } = facts
  return new Refusal(code, facts.message ?? messages[code] ?? messageOf(code), {
    details: facts.details ?? detailsOf[code],
    retryAfterSeconds: facts.retryAfterSeconds ?? waits[code],
  })
}

type Facts = Extract<MockFault, object>
type Given = MockFault | readonly (MockFault | undefined)[] | undefined

const isList = (given: Given): given is readonly (MockFault | undefined)[] => Array.isArray(given)

/** Messages observed from services (PROTOCOL.md 7.2). */
const messages: { readonly [code in WireErrorCode]?: string } = {
  INSUFFICIENT_CREDITS: 'Wallet does not have enough credits to complete redeem request',
  EXCEEDS_AUTHORIZED: 'Total 1.04 exceeds max credits authorized 1.03',
}

const messageOf = (code: WireErrorCode) =>
  `The mock is configured to return ${wireErrors[code].status} ${code}.`

export const detailsOf: { readonly [code in WireErrorCode]?: Readonly<Record<string, unknown>> } = {
  SIMULATION_FAILED: { revertReason: 'Rejected by the mock.' },
  CHALLENGE_REQUIRED: {
    transactionId: 'mock-challenge-1',
    url: 'https://bank.mock.redeemkit.test/challenge',
  },
  VERIFICATION_REQUIRED: {
    verificationLink: 'https://verify.mock.redeemkit.test/start',
    redirectLink: 'https://verify.mock.redeemkit.test/done',
  },
}

const waits: { readonly [code in WireErrorCode]?: number } = { RATE_LIMITED: 30 }
