import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseAbi } from 'viem'

const artifact = JSON.parse(readFileSync(new URL('../TicketShop.json', import.meta.url), 'utf8'))
const abi = parseAbi([
  'function whitelisted(string creditSeed, uint256 chainId, address target, bytes4 selector) view returns (bool, uint256)',
])

export async function check({ sandbox, base, publicClient, usdcOf, load }) {
  const { request, approve, why } = await load()
  const { url: baseUrl, merchantId, apiKey, creditSeed } = sandbox
  const shop = await sandbox.deploy({ artifact, args: [base.usdc, 5n] })
  const [wallet, friend] = [sandbox.accounts.alice.address, sandbox.accounts.bob.address]
  const service = { baseUrl, merchantId, apiKey, shop }
  const whyNot = (signature, args) => why({ ...service, wallet, signature, args })
  const listed = async () => {
    const answer = await fetch(`${baseUrl}/sandbox/programs`, { headers: { authorization: apiKey } })
    const { programs } = await answer.json()
    return programs.map(({ programId, selector, status }) => [programId.toLowerCase(), selector, status])
  }
  const buy = '0xd96a094a'

  assert.ok((await whyNot('buy(uint256)', [10_000_000n])).includes('NOT_WHITELISTED'))
  await request(service)
  assert.deepEqual(await listed(), [[shop.toLowerCase(), buy, 'pending']])
  assert.ok((await whyNot('buy(uint256)', [10_000_000n])).includes('NOT_WHITELISTED'), 'not approved yet')
  await approve(service)
  assert.deepEqual(await listed(), [[shop.toLowerCase(), buy, 'approved']])
  assert.deepEqual(await whyNot('buy(uint256)', [10_000_000n]), [])
  const other = await whyNot('transferFrom(address,address,uint256)', [wallet, friend, 1n])
  assert.ok(other.includes('SELECTOR_NOT_WHITELISTED'), `the reasons are ${other}`)

  const isListed = (selector) =>
    publicClient.readContract({
      address: base.creditsContract,
      abi,
      functionName: 'whitelisted',
      args: [creditSeed, BigInt(base.chainId), shop, selector],
    })
  assert.ok((await isListed(buy))[0], 'buy(uint256) is on the whitelist')
  assert.ok(!(await isListed('0x23b872dd'))[0], 'no other function is')
  assert.equal(await usdcOf(shop), 0n, 'nothing was sent')
}
