import type { CreditsAuthMsgResponse } from '../../../redeemkit/schema/redeem.ts'

type TypedData = { domain: Record<string, unknown>; message: Record<string, unknown> }

export type Alteration = {
  field: string
  apply: (answer: Answer, permit: TypedData, usdc: TypedData) => void
}

type Answer = { -readonly [key in keyof CreditsAuthMsgResponse]: CreditsAuthMsgResponse[key] }

const stranger = '0x000000000000000000000000000000000000dEaD'
const otherWord = `0x${'ab'.repeat(32)}` as const

/** Fields of the response that duplicate a field of the permit, by the permit's field. */
const twins: Readonly<Record<string, keyof Answer>> = {
  amount: 'creditsRawAmount',
  validBefore: 'validBefore',
  nonce: 'nonce',
}

export const alterations: readonly Alteration[] = [
  ...changes({ name: 'Credit', version: '0', chainId: 1, verifyingContract: stranger }, (name, value) => ({
    field: `message.domain.${name}`,
    apply: (_, permit) => set(permit.domain, name, value),
  })),
  ...changes(
    {
      customerWallet: stranger,
      creditSeed: 'another-seed',
      amount: 999_000_000,
      validBefore: '1',
      nonce: otherWord,
    },
    (name, value) => ({
      field: `message.${name}`,
      // Also changes the response's copy of the permit's field.
      apply: (answer, permit) => {
        set(permit.message, name, value)
        const twin = twins[name]
        if (twin !== undefined) set(answer, twin, value)
      },
    }),
  ),
  ...changes(
    {
      validBefore: '9999999999',
      nonce: otherWord,
      creditsRawAmount: 1,
      salt: otherWord,
    } satisfies Partial<Answer>,
    (name, value) => ({
      field: name,
      apply: (answer) => set(answer, name, value),
    }),
  ),
  ...changes({ name: 'Tether', version: '1', chainId: 1, verifyingContract: stranger }, (name, value) => ({
    field: `usdcAuthorization.domain.${name}`,
    apply: (_, __, usdc) => set(usdc.domain, name, value),
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
      apply: (_, __, usdc) => set(usdc.message, name, value),
    }),
  ),
]

function changes(
  values: Record<string, unknown>,
  alteration: (name: string, value: unknown) => Alteration,
): Alteration[] {
  return Object.entries(values).map(([name, value]) => alteration(name, value))
}

function set(record: Record<string, unknown>, name: string, value: unknown): void {
  record[name] = value
}

export function alteringFetch(alteration: Alteration): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init)
    // The real service's valid response.
    const answer = (await response.json()) as Answer
    const usdc = answer.usdcAuthorization
    const permitData: TypedData = JSON.parse(answer.message)
    const usdcData: TypedData = JSON.parse(usdc?.message ?? '{"domain":{},"message":{}}')
    alteration.apply(answer, permitData, usdcData)
    const altered = {
      ...answer,
      message: JSON.stringify(permitData),
      ...(usdc && { usdcAuthorization: { ...usdc, message: JSON.stringify(usdcData) } }),
    }
    return Response.json(altered, { status: response.status })
  }
}
