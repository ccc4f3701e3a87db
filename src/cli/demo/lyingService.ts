import type { CreditsAuthMsgResponse } from '../../schema/creditsAuthMsg.ts'

type TypedData = { domain: Record<string, unknown>; message: Record<string, unknown> }

/** One lie of a service in its answer to `creditsAuthMsg`. */
export type Lie = { field: string; tell: (answer: Answer, permit: TypedData, usdc: TypedData) => void }

type Answer = { -readonly [key in keyof CreditsAuthMsgResponse]: CreditsAuthMsgResponse[key] }

const stranger = '0x000000000000000000000000000000000000dEaD'
const otherWord = `0x${'ab'.repeat(32)}` as const

/** A service that lies in one field at a time: every field that the answer has. */
export const lies: readonly Lie[] = [
  ...changes({ name: 'Credit', version: '2', chainId: 1, verifyingContract: stranger }, (name, value) => ({
    field: `message.domain.${name}`,
    tell: (_, permit) => set(permit.domain, name, value),
  })),
  ...changes(
    {
      customerWallet: stranger,
      creditSeed: 'somebody-else',
      amount: 999_000_000,
      validBefore: '1',
      nonce: otherWord,
    },
    (name, value) => ({
      field: `message.${name}`,
      // Where the answer says the same once more, the lie is told there, too.
      tell: (answer, permit) => {
        set(permit.message, name, value)
        const twin = { amount: 'creditsRawAmount', validBefore: 'validBefore', nonce: 'nonce' }[name]
        if (twin !== undefined) set(answer, twin, value)
      },
    }),
  ),
  ...changes(
    { validBefore: '9999999999', nonce: otherWord, creditsRawAmount: 1, salt: otherWord },
    (name, value) => ({
      field: name,
      tell: (answer) => set(answer, name, value),
    }),
  ),
  ...changes({ name: 'Tether', version: '1', chainId: 1, verifyingContract: stranger }, (name, value) => ({
    field: `usdcAuthorization.domain.${name}`,
    tell: (_, __, usdc) => set(usdc.domain, name, value),
  })),
  ...changes(
    {
      from: stranger,
      to: stranger,
      value: '999000000',
      validAfter: '1',
      validBefore: '9999999999',
      nonce: otherWord,
    },
    (name, value) => ({
      field: `usdcAuthorization.${name}`,
      tell: (_, __, usdc) => set(usdc.message, name, value),
    }),
  ),
]

function changes(values: Record<string, unknown>, lie: (name: string, value: unknown) => Lie): Lie[] {
  return Object.entries(values).map(([name, value]) => lie(name, value))
}

function set(record: Record<string, unknown>, name: string, value: unknown): void {
  record[name] = value
}

/** A `fetch` that goes to the honest service and tells one lie on the way back. */
export function lyingFetch(lie: Lie): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init)
    // The honest service's own answer; the client under test checks what becomes of it.
    const answer = (await response.json()) as Answer
    const usdc = answer.usdcAuthorization
    const permitData: TypedData = JSON.parse(answer.message)
    const usdcData: TypedData = JSON.parse(usdc?.message ?? '{"domain":{},"message":{}}')
    lie.tell(answer, permitData, usdcData)
    const told = {
      ...answer,
      message: JSON.stringify(permitData),
      ...(usdc && { usdcAuthorization: { ...usdc, message: JSON.stringify(usdcData) } }),
    }
    return Response.json(told, { status: response.status })
  }
}
