// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SmartWallet} from "./SmartWallet.sol";

/// @title Deploys smart wallets at predictable addresses (CREATE2), as ERC-6492 needs them.
contract SmartWalletFactory {
    event WalletCreated(address indexed wallet, address indexed owner, uint256 salt);

    /// @notice Deploys the wallet, or returns the existing one.
    function createWallet(address owner, uint256 salt) external returns (address wallet) {
        wallet = walletOf(owner, salt);
        if (wallet.code.length == 0) {
            new SmartWallet{salt: bytes32(salt)}(owner);
            emit WalletCreated(wallet, owner, salt);
        }
    }

    function walletOf(address owner, uint256 salt) public view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(type(SmartWallet).creationCode, abi.encode(owner)));
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash));
        return address(uint160(uint256(hash)));
    }
}
