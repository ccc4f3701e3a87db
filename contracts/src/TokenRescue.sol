// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITokenRescue} from "./ITokenRescue.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Lets the admin move tokens that arrived by mistake
abstract contract TokenRescue is ITokenRescue, AccessControlDefaultAdminRules {
    using SafeERC20 for IERC20;

    /// @notice Moves ERC-20 tokens that arrived by mistake, including USDC. Callable only by the admin.
    /// @param token its contract
    /// @param amount raw units
    /// @param to their receiver
    function rescueErc20(IERC20 token, uint256 amount, address to) public virtual onlyRole(DEFAULT_ADMIN_ROLE) {
        emit Rescued(address(token), amount, to);
        token.safeTransfer(to, amount);
    }

    /// @notice Moves an ERC-721 token that arrived by mistake. Callable only by the admin.
    /// @param nftContract its contract
    /// @param nftId the token
    /// @param to its receiver
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) public virtual onlyRole(DEFAULT_ADMIN_ROLE) {
        emit Rescued(address(nftContract), nftId, to);
        nftContract.transferFrom(address(this), to, nftId);
    }
}
