import type { createPaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { token } from '../../../redeemkit/evm/transactionData/builders.ts'
import { signUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import { readCredits, readUsdcBalance } from '../../contracts/creditsReads.ts'
import { alterations, alteringFetch } from './alteredAnswer.ts'
import {
  check,
  clientOf,
  type DemoPart,
  printRefusals,
  printTable,
  type Refusal,
  recordingSigner,
  refused,
  refusedBeforePrompt,
  short,
} from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'

const price = 10_000_000n

export const tempo: DemoPart = {
  title: 'Tempo: redeem credits with a passkey, and reject changed responses and USDC authorizations',
  run: async (demo, progress) => {
    const purchase = purchaseOf(demo)
    progress('a passkey redeem')
    const redeemed = await redeemWithPasskey(demo, purchase)
    const rows: Refusal[] = []
    for (const alteration of alterations.filter(({ field }) => !field.startsWith('usdcAuthorization'))) {
      progress(`the service changes ${alteration.field}`)
      const client = passkeysClient(demo, alteringFetch(alteration))
      const why = await refusedBeforePrompt(purchase.prompts, () => redeem(client, purchase.request))
      rows.push([`service changes: ${alteration.field}`, 'client', why])
    }
    rows.push(...(await usdcRefused(demo, purchase)))
    progress("another passkey's signature")
    rows.push(await otherSignatureRefused(demo, purchase))
    return () => {
      printRedeem(demo, redeemed)
      printRefusals(
        'Tempo: rejected attacks',
        rows,
        '"client" rejects before the passkey prompt, or, for a wrong signature, before anything is sent.',
      )
    }
  },
}

type Fetch = createPaymentsClient.Options['fetch']

function passkeysClient(demo: DemoSandbox, fetch?: Fetch) {
  return clientOf(demo, { blockchain: 'tempo', wallet: demo.tempo.accounts.passkey.address, fetch })
}

type Purchase = ReturnType<typeof purchaseOf>

/** 10 dollars of pathUSD for bob. */
function purchaseOf({ sandbox, tempo: { chainId, pinned, accounts } }: DemoSandbox) {
  const { signer, prompts } = recordingSigner(accounts.passkey)
  const transactionData = token({ destination: sandbox.accounts.bob.address })
  return { prompts, request: { signer, chainId, pinned, subtotal: { cents: 1000 }, transactionData } }
}

async function redeemWithPasskey(demo: DemoSandbox, { prompts, request }: Purchase) {
  const before = await balancesOf(demo)
  const publicClient = demo.tempo.client
  const { hash, outcome } = await redeem(passkeysClient(demo), {
    ...request,
    publicClient,
    pollingIntervalMs: 20,
  })
  const after = await balancesOf(demo)
  check(prompts.length === 1, 'the passkey is prompted once')
  check(before.credits - after.credits === outcome.charged - outcome.refunded, 'credits moved')
  check(after.received - before.received === price, 'bob received 10 dollars of pathUSD')
  check(before.dollars === after.dollars, 'the customer paid no fee')
  return { hash, outcome }
}

function printRedeem(
  { tempo: { accounts, chainId } }: DemoSandbox,
  { hash, outcome }: Awaited<ReturnType<typeof redeemWithPasskey>>,
) {
  printTable('Tempo: a passkey redeems 10.00 USD of credits', {
    head: ['account', 'signature', 'hash', 'fee', 'what moved'],
    rows: [
      [
        short(accounts.passkey.address),
        'WebAuthn',
        short(hash),
        plainDollars(outcome.gasFee),
        `${plainDollars(outcome.charged)} credits → 10.00 pathUSD to bob`,
      ],
    ],
    right: [3],
    note: `Local chain ${chainId}: Anvil with Tempo's rules. The TIP-1020 precompile verifies the signature.`,
  })
}

/** Checks that the client rejects USDC authorizations, which Tempo lacks: in a response, in a request, and when it signs. */
async function usdcRefused(demo: DemoSandbox, { prompts, request }: Purchase): Promise<Refusal[]> {
  const { pinned, accounts, chainId } = demo.tempo
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  const authorization = {
    from: accounts.passkey.address,
    to: pinned.creditsContract,
    value: price,
    validAfter: 0n,
    validBefore,
    nonce: `0x${'01'.repeat(32)}`,
  } as const
  const messageData = { ...authorization, value: `${price}`, validAfter: '0', validBefore: `${validBefore}` }
  const asking: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    const answer: Record<string, unknown> = await response.json()
    const message = JSON.stringify({ message: messageData })
    return Response.json({ ...answer, usdcAuthorization: { message, messageData } })
  }
  const asked = await refusedBeforePrompt(prompts, () => redeem(passkeysClient(demo, asking), request))
  const named = await refusedBeforePrompt(prompts, () =>
    redeem(passkeysClient(demo), { ...request, usdcAmount: { cents: 400 } }),
  )
  const signed = await refusedBeforePrompt(prompts, () =>
    signUsdcAuthorization(request.signer, { chainId, type: 'ReceiveWithAuthorization', authorization }),
  )
  return [
    ['the service asks for a USDC authorization', 'client', asked],
    ['a part of the price in USDC', 'client', named],
    ['signing a USDC authorization', 'client', signed],
  ]
}

async function otherSignatureRefused(demo: DemoSandbox, { request }: Purchase): Promise<Refusal> {
  const { accounts, client: publicClient } = demo.tempo
  const { signTypedData } = accounts.p256
  const signer = { ...accounts.passkey, signTypedData }
  const why = await refused(() => redeem(passkeysClient(demo), { ...request, publicClient, signer }))
  return ["another key's signature", 'client', why]
}

async function balancesOf({ tempo, sandbox }: DemoSandbox) {
  const { address: wallet } = tempo.accounts.passkey
  const pathUsd = { client: tempo.client, usdc: tempo.token }
  return {
    credits: await readCredits(tempo, { creditSeed: tempo.pinned.creditSeed, wallet }),
    dollars: await readUsdcBalance(pathUsd, { wallet }),
    received: await readUsdcBalance(pathUsd, { wallet: sandbox.accounts.bob.address }),
  }
}
