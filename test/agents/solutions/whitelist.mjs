import { safeMint } from 'redeemkit/evm'
import { createMerchantClient } from 'redeemkit/merchant'
import { parseAbi, toFunctionSelector } from 'viem'

const selector = toFunctionSelector('buy(uint256)')

export async function request({ baseUrl, merchantId, apiKey, shop }) {
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
  await merchant.requestWhitelist({ body: { blockchain: 'base', programId: shop, selector } })
}

export async function approve({ baseUrl, apiKey, shop }) {
  const entry = { blockchain: 'base', programId: shop, selector }
  await post({ baseUrl, apiKey }, '/sandbox/program', { ...entry, approved: true })
}

export async function why({ baseUrl, apiKey, shop, wallet, signature, args }) {
  const functionName = signature.slice(0, signature.indexOf('('))
  const abi = parseAbi([`function ${signature}`])
  const report = await post({ baseUrl, apiKey }, '/sandbox/simulate', {
    blockchain: 'base',
    wallet,
    subtotal: { cents: 1000 },
    transactionData: safeMint({ to: shop, abi, functionName, args }),
  })
  return report.verdict === 'ok' ? [] : report.findings.map(({ code }) => code)
}

async function post({ baseUrl, apiKey }, path, body) {
  const headers = { authorization: apiKey, 'content-type': 'application/json' }
  const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
