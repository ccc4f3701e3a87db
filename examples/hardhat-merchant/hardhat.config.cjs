require('@nomicfoundation/hardhat-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask, task } = require('hardhat/config')

// Before the tests: a chain with USDC, the credits contract and test accounts. Network `redeemkit` is that chain.
task('test', async (options, hre, runSuper) => {
  const { startFork } = await import('@redeemkit/sandbox/testing')
  const fork = await startFork({ blockchain: 'base' })
  try {
    hre.fork = fork
    hre.config.networks.redeemkit.url = fork.rpcUrl
    const [deployer] = await hre.ethers.getSigners()
    await fork.fund({ wallet: deployer.address, coin: 10n ** 18n })
    return await runSuper(options)
  } finally {
    await fork.stop()
  }
})

// The compiler of node_modules, so that it works offline. Without these lines Hardhat downloads one.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version: solcVersion,
  longVersion: require('solc').version(),
}))

module.exports = {
  solidity: require('solc/package.json').version,
  defaultNetwork: 'redeemkit',
  networks: {
    redeemkit: {
      url: 'http://127.0.0.1', // the task above writes the real one
      accounts: { mnemonic: 'test test test test test test test test test test test junk' },
    },
    // `npx hardhat node`, for startFork({ forkUrl: 'http://127.0.0.1:8545' }): Base's test network, as the fork is.
    hardhat: { chainId: 84_532 },
  },
}
