import { expect, test } from 'vitest'
import { formatInspection } from '../core/inspection/formatInspection.ts'
import { renderClearSigning, renderMicro } from '../evm/clearSigning/clearSigning.fixture.ts'
import type { ClearSigningFile } from '../evm/clearSigning/clearSigningFile.ts'
import { creditPermitDescriptor } from '../evm/clearSigning/creditPermitDescriptor.ts'
import { usdcAuthorizationDescriptors } from '../evm/clearSigning/usdcAuthorizationDescriptors.ts'
import { disclosedIntentOf } from '../evm/creditPermit/disclosedIntent.ts'
import { inspect } from '../evm/inspect/inspect.ts'
import { describeSigning } from './describeSigning.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  chainId,
  countingSigner,
  creditsContract,
  fakeService,
  now,
  pinned,
  stranger,
  token,
  wallet,
} from './redeem.fixture.ts'
import { signRedeem } from './signRedeem.ts'

/** The page, the wallet and two independent ERC-7730 renderers state the same facts about a redeem. */

const origin = 'https://shop.example'
const announced = () => ({ '0x0': { redeemIntent: { supported: true, version: 1 } } })
const permitFile = creditPermitDescriptor({
  owner: 'Shop',
  url: origin,
  deployments: [{ chainId, address: creditsContract }],
})
const [usdcFile] = usdcAuthorizationDescriptors([{ chainId }])

/** Returns the requests that the wallet received for a purchase. */
async function requestsFor(change: object) {
  const request = { subtotal: { cents: 1000 }, transactionData: token, ...change }
  const prepared = await prepareRedeem(fakeService().client, {
    chainId,
    pinned,
    purchaseId: 'order 1',
    ...request,
  })
  const signer = countingSigner({ capabilities: announced })
  await signRedeem(signer, { prepared, request, now })
  return { prepared, requests: signer.asked as { method: string; params: [string, string, object] }[] }
}

/** Returns the values that the wallet shows, by label. If two lines share a label, the last one counts. */
function seenInWallet(
  request: inspect.Request,
  { merchantId, nonce }: { merchantId: string; nonce: string },
) {
  const inspection = inspect(request, {
    origin,
    address: wallet,
    chainId,
    now,
    intent: disclosedIntentOf(request),
    // a checked nonce has 32 bytes
    signedPermits: [{ nonce: nonce as `0x${string}` }],
    pinned: [{ ...pinned, chainId, merchantId, receivers: [stranger], origins: [origin] }],
  })
  const { title, lines } = formatInspection(inspection)
  const labels = Object.fromEntries(lines.map(({ label, value }) => [label, value]))
  return { verdict: inspection.verdict, title, labels }
}

/** Returns the values that both renderers show, by label. */
async function seenByRenderers(file: ClearSigningFile | undefined, [, typedData]: [string, string, object]) {
  if (file === undefined) throw new Error('There is no descriptor.')
  const data = JSON.parse(typedData)
  const { fields } = await renderClearSigning(file, data)
  const micro = await renderMicro(file, data)
  const labels = Object.fromEntries(
    (fields ?? []).map((field) => [field.label, 'value' in field ? String(field.value) : '']),
  )
  for (const label of ['At most', 'Amount', 'Purchase', 'To', 'Wallet', 'Credits of'])
    expect(micro.fields[label]?.replace(/ (?=USD$)/, '')).toBe(labels[label])
  return labels
}

/** Returns an amount in cents: 603 for `$6.03` and `6.03USD`, 400 for `4 USDC`. */
const cents = (text = '') => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100)

test.each([
  ['credits alone', {}],
  ['credits and USDC', { usdcAmount: { cents: 400 } }],
])('page, wallet and ERC-7730 agree for %s', async (_, change) => {
  const { prepared, requests } = await requestsFor(change)
  const { merchantId, answer } = prepared
  const known = { merchantId, nonce: answer.nonce }
  const page = describeSigning(prepared)
  const [permit, usdc] = requests
  if (permit === undefined) throw new Error('The wallet received no request.')

  const { title, verdict, labels } = seenInWallet(permit, known)
  const rendered = await seenByRenderers(permitFile, permit.params)
  expect(verdict).toBe('ok')
  expect([labels['From credits'], labels['Network fee, at most']]).toEqual([page.credits, page.fee])
  expect(cents(labels['Amount, at most'])).toBe(cents(page.credits) + cents(page.fee))
  expect(cents(rendered['At most'])).toBe(cents(page.credits) + cents(page.fee))
  expect(labels['Credit balance']).toBe(`"${rendered['Credits of']}"`)
  expect(labels['Valid until']).toContain(rendered['Valid until']?.replace('Z', ''))
  expect([rendered.Wallet, labels.Account]).toEqual([wallet, wallet])
  // The wallet shows the purchase, and the renderers show the nonce that the wallet computed.
  expect(rendered.Purchase).toBe(answer.nonce)
  expect(title).toContain('order "order 1"')
  expect(page.text).toContain(labels.Chain)
  for (const text of [page.text, labels.Receiver]) expect(text).toContain(stranger)

  expect(usdc === undefined).toBe(prepared.usdcAmount === '0')
  if (usdc === undefined) return
  const authorization = seenInWallet(usdc, known)
  const transfer = await seenByRenderers(usdcFile, usdc.params)
  expect(authorization.verdict).toBe('ok')
  expect(labels['From USDC']).toBe(page.usdc)
  for (const text of [authorization.labels.Amount, transfer.Amount])
    expect(cents(text)).toBe(cents(page.usdc))
  for (const text of [authorization.labels.Receiver, transfer.To]) expect(text).toContain(creditsContract)
  expect([transfer.Purchase, transfer.Wallet]).toEqual([answer.nonce, wallet])
})
