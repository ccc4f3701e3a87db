import {
  creditPermitTypedData,
  type InspectContext,
  inspect,
  orderKey,
  redeemIntentNonce,
  settlementHash,
  usdcAuthorizationTypedData,
} from 'redeemkit/evm'
import type { Hex } from 'viem'
import type { Approval, ConnectApproval, Pin, SignApproval } from '../messages.ts'

/** 2026-11-27, 12:00 UTC. */
export const now = 1_795_780_800_000

export const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const otherAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const shopWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const chainId = 84532

export const lampfall: Pin = {
  id: 'lampfall',
  name: 'Lampfall',
  origins: ['https://lampfall.shop'],
  chainId,
  creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  creditSeed: 'lampfall-credits',
  merchantId: 'lampfall',
  serviceUrl: 'https://pay.example/api',
  receivers: [shopWallet],
  maxGasFeeCents: 100,
}

const salt = `0x${'a7'.repeat(32)}` as const
const transactionData = { type: 'token', destination: shopWallet } as const
const intent = {
  version: 1,
  merchantId: lampfall.merchantId,
  purchaseId: 'bill 2047',
  salt,
  request: {
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData,
  },
} as const

const nonce = redeemIntentNonce({
  orderKey: orderKey({ merchantId: intent.merchantId, purchaseId: intent.purchaseId }),
  customerWallet: account,
  settlementHash: settlementHash(transactionData),
  amount: 10_000_000n,
  usdcAmount: 4_000_000n,
  salt,
})

/** Creates a permit that takes at most $6.03 of credits for {@link intent}. */
function permitOf(changes: { verifyingContract?: Hex; amount?: bigint } = {}): string {
  const { verifyingContract = lampfall.creditsContract, amount = 6_030_000n } = changes
  return jsonOf(
    creditPermitTypedData({
      domain: { name: 'Credits', version: '1', chainId, verifyingContract },
      permit: {
        customerWallet: account,
        creditSeed: lampfall.creditSeed,
        amount,
        validBefore: BigInt(now / 1_000 + 600),
        nonce,
      },
    }),
  )
}

const jsonOf = (typedData: object) =>
  JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

type Asked = {
  method: Exclude<SignApproval['method'], 'payLink' | 'cancelPermit'>
  params: readonly unknown[]
}

function signRequest(
  id: string,
  request: Asked,
  options: { origin?: string; context?: InspectContext; changes?: Partial<SignApproval> } = {},
): SignApproval {
  const { origin = 'https://lampfall.shop', context, changes } = options
  const pins = [{ ...lampfall, domainName: 'Credits' }].map(({ id: _, serviceUrl, ...pin }) => pin)
  const inspection = inspect(request, {
    origin,
    address: account,
    chainId,
    pinned: pins,
    now: () => now,
    ...context,
  })
  const { eip191, eip712, calldata } = inspection.digests
  return {
    id,
    kind: 'sign',
    asker: { kind: 'site', origin },
    isInsistent: false,
    receivedAt: now,
    method: request.method,
    account,
    chainId,
    inspection,
    digests: [eip712 ?? eip191 ?? calldata?.[0] ?? `0x${'d1'.repeat(32)}`],
    raw: JSON.stringify(
      request.params.map((one) => (typeof one === 'string' && one.startsWith('{') ? JSON.parse(one) : one)),
      null,
      2,
    ),
    pinNames: origin === 'https://lampfall.shop' ? ['Lampfall'] : [],
    ...changes,
  }
}

const typedData = (text: string): Asked => ({ method: 'eth_signTypedData_v4', params: [account, text] })

/** An honest purchase at a shop that the user trusts. */
export const purchase = signRequest('purchase', typedData(permitOf()), { context: { intent } })

/** The same purchase, whose intent the site does not disclose. */
export const unseenPurchase = signRequest('unseen', typedData(permitOf()))

/** A permit of a contract that the wallet does not trust. */
export const otherContract = signRequest(
  'otherContract',
  typedData(permitOf({ verifyingContract: '0xeE1a5b2b3f1D9D4b0E3B2C1e0c8d1C5B7A0f0767' })),
  { origin: 'https://lampfall.sh0p.example', context: { intent } },
)

/** A text of a site that imitates a shop with letters of a different script. */
export const text = signRequest(
  'text',
  { method: 'personal_sign', params: ['Welcome to Lampfall. Click “Sign” to continue.', account] },
  { origin: 'https://lаmpfall.shop' },
)

const call = (data: Hex, to: Hex = usdc): Asked => ({
  method: 'eth_sendTransaction',
  params: [{ from: account, to, data, value: '0x0' }],
})
const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0')

/** Sends 25 USDC. */
export const transfer = signRequest('transfer', call(`0xa9059cbb${word(stranger)}${word('0x17d7840')}`), {
  origin: 'http://192.168.1.20:8080',
  changes: { transaction: { state: 'ready', maxFee: 21_000_000_000_000n } },
})

/** Lets a third party take everything. */
export const approval = signRequest('approval', call(`0x095ea7b3${word(stranger)}${'f'.repeat(64)}`), {
  origin: 'https://free-moths.example',
  changes: { transaction: { state: 'preparing' }, digests: [] },
})

/** Lets a third party spend 25 USDC and sends 1 ETH, in one request. */
export const calls = signRequest(
  'calls',
  {
    method: 'wallet_sendCalls',
    params: [
      {
        version: '2.0.0',
        from: account,
        chainId: `0x${chainId.toString(16)}`,
        atomicRequired: false,
        calls: [
          { to: usdc, data: `0x095ea7b3${word(stranger)}${word('0x17d7840')}` },
          { to: stranger, value: '0xde0b6b3a7640000' },
        ],
      },
    ],
  },
  {
    origin: 'https://swap.example',
    changes: {
      transaction: { state: 'ready', maxFee: 84_000_000_000_000n },
      digests: [`0x${word('0xa1')}`, `0x${word('0xa2')}`],
    },
  },
)

export const connect: ConnectApproval = {
  id: 'connect',
  kind: 'connect',
  asker: { kind: 'site', origin: 'https://lampfall.shop' },
  isInsistent: false,
  receivedAt: now,
  isNew: true,
}

/** The redeem of a payment link, with its USDC part, to a new receiver. */
export const link: SignApproval = {
  ...purchase,
  id: 'link',
  asker: { kind: 'wallet' },
  method: 'payLink',
  also: signRequest(
    'usdc',
    typedData(
      jsonOf(
        usdcAuthorizationTypedData({
          chainId,
          type: 'ReceiveWithAuthorization',
          authorization: {
            from: account,
            to: lampfall.creditsContract,
            value: 4_000_000n,
            validAfter: 0n,
            validBefore: BigInt(now / 1_000 + 600),
            nonce,
          },
        }),
      ),
    ),
    { context: { intent, signedPermits: [{ nonce }] } },
  ).inspection,
  pinNames: ['Lampfall'],
  isNewReceiver: true,
}

export const flood: readonly Approval[] = [
  unseenPurchase,
  text,
  { ...text, id: 'text 2' },
  { ...text, id: 'text 3' },
].map((one) => ({ ...one, isInsistent: true }))
