import assert from 'node:assert/strict'
import { formatReport, readAbiFolder } from '@redeemkit/sandbox/testing'
import hardhat from 'hardhat'
import { normal } from 'redeemkit/evm'

const { artifacts, config, ethers, fork } = hardhat
const { alice } = fork.accounts
const { abis } = await readAbiFolder(config.paths.artifacts) // The reports use these names.

/** Deploys a shop, whitelists it, and returns a purchase by alice there. */
async function open(name, tickets) {
  const shop = await ethers.deployContract(name, [fork.usdc, 10n])
  await fork.whitelist({ target: shop.target, selector: 'buy(address,uint256)' })
  const { abi } = await artifacts.readArtifact(name)
  const args = [alice.address, tickets]
  const transactionData = normal({ to: shop.target, abi, functionName: 'buy', args })
  return { shop, purchase: { transactionData, amount: tickets * 10_000_000n, abis } }
}

const codesOf = ({ findings }) => findings.map(({ code }) => code)

it('two tickets are paid for, and the customer has them', async () => {
  const { shop, purchase } = await open('TicketShop', 2n)
  const report = await fork.simulateRedeem(purchase) // No transaction is sent.
  assert.equal(report.verdict, 'ok', formatReport(report))
  await fork.redeem({ ...purchase, usdcAmount: 4_000_000n }) // 16 from credits, 4 in USDC
  assert.equal(await shop.ticketsOf(alice.address), 2n)
})

it('a sold-out ticket is not charged', async () => {
  const { purchase } = await open('TicketShop', 11n)
  const { execution } = await fork.simulateRedeem(purchase)
  assert.equal(execution.reason, 'SoldOut: left 10')
})

it('a shop that takes only half of the price gets a warning', async () => {
  const { purchase } = await open('GenerousShop', 2n)
  const report = await fork.simulateRedeem(purchase)
  assert.equal(report.verdict, 'caution', formatReport(report))
  assert.deepEqual(codesOf(report), ['PULLS_LESS'])
})
