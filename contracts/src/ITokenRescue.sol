// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Rescues tokens that arrived by mistake
interface ITokenRescue {
    /// @notice The admin moved a token that belongs to no payment.
    /// @param token its contract; zero for the native coin
    /// @param idOrAmount id of an ERC-721 token, or raw units
    /// @param to its receiver
    event Rescued(address indexed token, uint256 idOrAmount, address indexed to);

    /// @notice The contract does not hold the token.
    /// @param nftContract contract of the token
    /// @param nftId the token
    error NotHeld(address nftContract, uint256 nftId);
}
