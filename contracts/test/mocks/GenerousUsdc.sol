// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Code for USDC's address: every balance grows by one raw unit more than was authorized
/// @dev Starts from zero balances. It has only what a redeem with a USDC part calls before its settlement.
contract GenerousUsdc {
    mapping(address account => uint256) private _given;

    function balanceOf(address account) external view returns (uint256) {
        return _given[account];
    }

    function receiveWithAuthorization(address, address to, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        _given[to] += value + 1;
    }
}
