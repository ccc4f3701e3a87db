// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {ForbiddenCalls} from "./ForbiddenCalls.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title Makes the bridge adapter's calls
/// @notice Holds only the funds that one call may spend, so that no call can reach the adapter's liquidity.
contract BridgeExecutor {
    using SafeERC20 for IERC20;

    uint256 private constant MAX_REASON = 256;

    address public immutable adapter;

    error OnlyAdapter(address caller);
    error NotCallable(address target);

    modifier onlyAdapter() {
        if (msg.sender != adapter) revert OnlyAdapter(msg.sender);
        _;
    }

    constructor() {
        adapter = msg.sender;
    }

    /// @dev Receives native coin: from the adapter, and as change from a call.
    receive() external payable {}

    /// @notice Takes `cost` from the adapter, spends up to `cost` on one call, and returns the rest.
    /// @dev Keeps its earlier balance, which arrived by mistake and does not belong to this customer.
    /// @param token zero for the native coin, which is sent with the call; other tokens are taken by allowance
    /// @return success whether the call succeeded
    /// @return reason at most 256 bytes of the call's revert data
    function run(address token, uint256 cost, address target, bytes calldata data)
        external
        payable
        onlyAdapter
        returns (bool success, bytes memory reason)
    {
        if (target.code.length == 0 || target == adapter || target == token || target == address(this)) {
            revert NotCallable(target);
        }
        // These functions could grant rights that outlast the call. No source chain requests them.
        if (ForbiddenCalls.contains(bytes4(data))) revert NotCallable(target);
        if (token == address(0)) {
            uint256 before = address(this).balance - msg.value;
            (success, reason) = _call(target, cost, data);
            uint256 left = address(this).balance - before;
            if (left != 0) Address.sendValue(payable(adapter), left);
        } else {
            uint256 before = IERC20(token).balanceOf(address(this));
            IERC20(token).safeTransferFrom(adapter, address(this), cost);
            IERC20(token).forceApprove(target, cost);
            (success, reason) = _call(target, 0, data);
            IERC20(token).forceApprove(target, 0);
            uint256 left = IERC20(token).balanceOf(address(this));
            if (left > before) IERC20(token).safeTransfer(adapter, left - before);
        }
    }

    /// @notice Moves native coin or ERC-20 tokens that arrived by mistake. Callable only by the adapter, for its admin.
    /// @param token zero for the native coin
    function rescue(address token, uint256 amount, address to) external onlyAdapter {
        if (token == address(0)) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
    }

    /// @notice Moves an ERC-721 token that arrived by mistake or was minted to this contract. Callable only by the adapter, for its admin.
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) external onlyAdapter {
        nftContract.transferFrom(address(this), to, nftId);
    }

    function _call(address target, uint256 value, bytes memory data)
        private
        returns (bool success, bytes memory reason)
    {
        (success,,) = BoundedCall.call(target, value, gasleft(), data);
        if (!success) reason = BoundedCall.answer(MAX_REASON);
    }
}
