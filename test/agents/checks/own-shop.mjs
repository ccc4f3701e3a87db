import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseAbi } from 'viem'

const abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function limit() view returns (uint256)',
  'function whitelisted(string creditSeed, uint256 chainId, address target, bytes4 selector) view returns (bool, uint256)',
])

export async function check({ sandbox, base, publicClient, usdcOf, load }) {
  const { sell } = await load()
  const artifact = JSON.parse(readFileSync(new URL('../TicketShop.json', import.meta.url), 'utf8'))
  const address = await sell({ sandbox, artifact })
  const owner = await publicClient.readContract({ address, abi, functionName: 'ownerOf', args: [1n] })
  assert.equal(owner, sandbox.accounts.alice.address)
  assert.equal(await publicClient.readContract({ address, abi, functionName: 'limit' }), 5n)
  assert.equal(await usdcOf(address), 10_000_000n)
  const isListed = (selector) =>
    publicClient.readContract({
      address: base.creditsContract,
      abi,
      functionName: 'whitelisted',
      args: [sandbox.creditSeed, BigInt(base.chainId), address, selector],
    })
  assert.ok((await isListed('0xd96a094a'))[0], 'buy(uint256) is on the whitelist')
  assert.ok(!(await isListed('0x23b872dd'))[0], 'no other function is')
}
