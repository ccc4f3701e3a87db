import { erc20Abi } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { createPaymentsClient } from '../../../api/createPaymentsClient.ts'
import type { EvmSigner } from '../../../evm/signer/evmSigner.ts'
import { token } from '../../../evm/transactionData/token.ts'
import { signUsdcAuthorization } from '../../../evm/usdcAuthorization/signUsdcAuthorization.ts'
import { redeem } from '../../../redeem/redeem.ts'
import type { TempoSigner } from '../../../tempo/signer/tempoSigner.ts'
import { type Act, told } from '../act.ts'
import { lies, lyingFetch } from '../lyingService.ts'
import { refused, refusedBeforePrompt } from '../refused.ts'
import { dollars, printTable, short, shortened } from '../report.ts'
import type { Stage } from '../stage.ts'

const price = 10_000_000n

/** A passkey redeems credits; a lying service, and any talk of USDC, is refused. */
export const tempo: Act = {
  title: 'Tempo: redeem credits with a passkey, refuse a lying service and every USDC authorization',
  play: async (stage, progress) => {
    const { sandbox } = stage
    const { client: publicClient, chainId, pinned, people } = stage.tempo
    const { bob } = sandbox.people
    const { signer, prompts } = countingSigner(people.passkey)
    const client = (fetch?: (url: string, init: RequestInit) => Promise<Response>) =>
      createPaymentsClient({
        baseUrl: sandbox.url,
        merchantId: sandbox.merchantId,
        blockchain: 'tempo',
        wallet: people.passkey.address,
        fetch,
      })
    const request = {
      signer,
      chainId,
      pinned,
      subtotal: { cents: 1000 },
      transactionData: token({ destination: bob.address }),
    }

    progress('a passkey redeem')
    const before = await booksOf(stage)
    const { hash, outcome } = await redeem(client(), { ...request, publicClient, pollingIntervalMs: 20 })
    const after = await booksOf(stage)
    told(outcome !== undefined, 'the chain tells the outcome')
    told(prompts.count === 1, 'the passkey is asked once')
    told(before.credits - after.credits === outcome.charged - outcome.refunded, 'credits moved')
    told(after.received - before.received === price, 'bob received 10 dollars of pathUSD')
    told(before.dollars === after.dollars, 'the customer paid no fee')

    const rows: [string, string, string][] = []
    for (const lie of lies.filter(({ field }) => !field.startsWith('usdcAuthorization'))) {
      progress(`the service lies about ${lie.field}`)
      const why = await refusedBeforePrompt(prompts, () => redeem(client(lyingFetch(lie)), request))
      rows.push([`service lies: ${lie.field}`, 'client', why])
    }
    const messageData = {
      from: people.passkey.address,
      to: pinned.creditsContract,
      value: '10000000',
      validAfter: '0',
      validBefore: String(Math.floor(Date.now() / 1000) + 600),
      nonce: `0x${'01'.repeat(32)}`,
    }
    const usdcAsked = { messageData, message: JSON.stringify({ message: messageData }) }
    const asking = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      const answer: Record<string, unknown> = await response.json()
      const { message, messageData } = usdcAsked
      return Response.json({ ...answer, usdcAuthorization: { message, messageData } })
    }
    rows.push([
      'service asks for a USDC authorization',
      'client',
      await refusedBeforePrompt(prompts, () => redeem(client(asking), request)),
    ])
    rows.push([
      'a part of the price in USDC',
      'client',
      await refusedBeforePrompt(prompts, () => redeem(client(), { ...request, usdcAmount: { cents: 400 } })),
    ])
    rows.push([
      'signing a USDC authorization',
      'client',
      await refusedBeforePrompt(prompts, () =>
        signUsdcAuthorization(signer, {
          chainId,
          type: 'ReceiveWithAuthorization',
          authorization: {
            from: people.passkey.address,
            to: pinned.creditsContract,
            value: price,
            validAfter: 0n,
            validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
            nonce: `0x${'01'.repeat(32)}`,
          },
        }),
      ),
    ])
    progress("another passkey's signature")
    const { signTypedData } = people.p256
    const stolen = countingSigner({ ...people.passkey, signTypedData })
    rows.push([
      "another key's signature",
      'client',
      await refused(() => redeem(client(), { ...request, publicClient, signer: stolen.signer })),
    ])

    return () => {
      printTable('Tempo: a passkey redeems 10.00 USD of credits', {
        head: ['account', 'signature', 'hash', 'fee', 'what moved'],
        rows: [
          [
            short(people.passkey.address),
            'WebAuthn',
            short(hash),
            dollars(outcome.gasFee),
            `${dollars(outcome.charged)} credits → 10.00 pathUSD to bob`,
          ],
        ],
        right: [3],
        note: `Chain ${chainId} on this machine: Anvil with Tempo's rules; the contract asks the TIP-1020 precompile about the signature.`,
      })
      printTable('Tempo: refusals', {
        head: ['what is tried', 'refused by', 'why'],
        rows: rows.map((row) => row.map(shortened)),
        note: '"client" refuses before the passkey is asked; another key is found out by its signature, and nothing is sent.',
      })
    }
  },
}

/** The passkey, which counts how often it is asked. */
function countingSigner(passkey: TempoSigner) {
  const prompts = { count: 0 }
  const counted: TempoSigner = {
    ...passkey,
    signTypedData: (typedData) => {
      prompts.count++
      return passkey.signTypedData(typedData)
    },
    signMessage: (message) => {
      prompts.count++
      return passkey.signMessage(message)
    },
  }
  // Whatever signs on Tempo has the shape of a viem account.
  return { signer: counted as EvmSigner, prompts }
}

async function booksOf({
  tempo: { client, creditsContract, pinned, people, token: pathUsd },
  sandbox,
}: Stage) {
  const balanceOf = (wallet: `0x${string}`) =>
    client.readContract({ address: pathUsd, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  const [credits, spent, received] = await Promise.all([
    client.readContract({
      address: creditsContract,
      abi: creditsAbi,
      functionName: 'creditsOf',
      args: [pinned.creditSeed, people.passkey.address],
    }),
    balanceOf(people.passkey.address),
    balanceOf(sandbox.people.bob.address),
  ])
  return { credits, dollars: spent, received }
}
