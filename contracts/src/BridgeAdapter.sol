// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {BridgeExecutor} from "./BridgeExecutor.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Bridge adapter
/// @notice See `IBridgeAdapter`: the service carries the messages, there is no third-party bridge.
contract BridgeAdapter is IBridgeAdapter, AccessControlDefaultAdminRules, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Executes requests of other chains.
    bytes32 public constant RELAYER_ROLE = keccak256("RELAYER_ROLE");
    /// @notice Sets the rates of routes.
    bytes32 public constant ROUTE_ROLE = keccak256("ROUTE_ROLE");
    /// @notice Takes liquidity out.
    bytes32 public constant TREASURER_ROLE = keccak256("TREASURER_ROLE");

    address private constant NATIVE = address(0);
    uint256 private constant ONE_USDC = 1_000_000;
    /// @dev More than what this contract and the executor spend around the call.
    uint256 private constant EXECUTION_OVERHEAD = 150_000;

    /// @notice The only caller of `bridge`; zero where this adapter is a destination only.
    address public immutable credits;
    /// @notice The settlement token.
    address public immutable usdc;
    /// @notice Makes the calls, apart from the liquidity.
    BridgeExecutor public immutable executor;

    uint256 private _requests;
    mapping(uint256 dstChainId => mapping(address dstToken => uint256)) private _routes;
    mapping(address customer => mapping(address token => uint256)) private _claimable;
    mapping(address token => uint256) private _totalClaimable;
    mapping(bytes32 id => bool) private _executed;

    constructor(address credits_, address usdc_, address admin, uint48 adminDelay)
        AccessControlDefaultAdminRules(adminDelay, admin)
    {
        if (usdc_ == address(0)) revert ZeroAddress("usdc");
        credits = credits_;
        usdc = usdc_;
        executor = new BridgeExecutor();
    }

    /// @notice Anyone may add liquidity in the chain's own coin; tokens are simply transferred here.
    receive() external payable {}

    /// @inheritdoc IBridgeAdapter
    function bridge(Request calldata request) external nonReentrant returns (bytes32 id) {
        if (msg.sender != credits) revert OnlyCredits(msg.sender);
        uint256 costPerUsdc = _routes[request.dstChainId][request.dstToken];
        if (costPerUsdc == 0) revert UnknownRoute(request.dstChainId, request.dstToken);
        uint256 covered = request.amount * costPerUsdc / ONE_USDC;
        if (request.cost > covered) revert CostNotCovered(request.cost, covered);

        id = keccak256(abi.encode(block.chainid, address(this), ++_requests));
        emit BridgeRequested(
            id,
            request.customer,
            request.nonce,
            request.amount,
            request.dstChainId,
            request.dstToken,
            request.isNative,
            request.cost,
            request.target,
            request.data,
            request.minimumGas
        );
        IERC20(usdc).safeTransferFrom(msg.sender, address(this), request.amount);
    }

    /// @inheritdoc IBridgeAdapter
    function execute(Delivery calldata delivery) external nonReentrant onlyRole(RELAYER_ROLE) returns (bool success) {
        if (delivery.customer == address(0)) revert ZeroAddress("customer");
        if (_executed[delivery.id]) revert AlreadyExecuted(delivery.id);
        _executed[delivery.id] = true;
        uint256 available = liquidityOf(delivery.token);
        if (available < delivery.cost) revert InsufficientLiquidity(delivery.token, available, delivery.cost);
        _requireGas(delivery.minimumGas);

        bytes memory reason;
        uint256 balance = _balanceOf(delivery.token);
        bool native = delivery.token == NATIVE;
        if (!native) IERC20(delivery.token).forceApprove(address(executor), delivery.cost);
        try executor.run{value: native ? delivery.cost : 0}(
            delivery.token, delivery.cost, delivery.target, delivery.data
        ) returns (
            bool success_, bytes memory reason_
        ) {
            (success, reason) = (success_, reason_);
        } catch {
            // Not callable, or the token refuses the target: nothing moved.
            if (!native) IERC20(delivery.token).forceApprove(address(executor), 0);
        }
        // What came back is the customer's, but never more than was paid for: a gift on the way is liquidity.
        uint256 remaining = _balanceOf(delivery.token);
        uint256 spent = balance > remaining ? balance - remaining : 0;
        uint256 left = spent < delivery.cost ? delivery.cost - spent : 0;
        if (left != 0) {
            _claimable[delivery.customer][delivery.token] += left;
            _totalClaimable[delivery.token] += left;
        }
        emit BridgeExecuted(delivery.id, delivery.customer, success, left, reason);
    }

    /// @inheritdoc IBridgeAdapter
    function claim(address token, address to) external nonReentrant returns (uint256 amount) {
        amount = _claimable[msg.sender][token];
        if (amount == 0) revert NothingToClaim(msg.sender, token);
        _claimable[msg.sender][token] = 0;
        _totalClaimable[token] -= amount;
        emit Claimed(msg.sender, token, to, amount);
        _pay(token, to, amount);
    }

    /// @inheritdoc IBridgeAdapter
    function setRoute(uint256 dstChainId, address dstToken, uint256 costPerUsdc) external onlyRole(ROUTE_ROLE) {
        _routes[dstChainId][dstToken] = costPerUsdc;
        emit RouteSet(dstChainId, dstToken, costPerUsdc);
    }

    /// @inheritdoc IBridgeAdapter
    function withdraw(address token, address to, uint256 amount) external nonReentrant onlyRole(TREASURER_ROLE) {
        uint256 available = liquidityOf(token);
        if (available < amount) revert InsufficientLiquidity(token, available, amount);
        emit LiquidityWithdrawn(token, to, amount);
        _pay(token, to, amount);
    }

    /// @inheritdoc IBridgeAdapter
    function routeOf(uint256 dstChainId, address dstToken) external view returns (uint256 costPerUsdc) {
        return _routes[dstChainId][dstToken];
    }

    /// @inheritdoc IBridgeAdapter
    function claimableOf(address customer, address token) external view returns (uint256) {
        return _claimable[customer][token];
    }

    /// @inheritdoc IBridgeAdapter
    function executed(bytes32 id) external view returns (bool) {
        return _executed[id];
    }

    /// @inheritdoc IBridgeAdapter
    function liquidityOf(address token) public view returns (uint256) {
        return _balanceOf(token) - _totalClaimable[token];
    }

    function _balanceOf(address token) private view returns (uint256) {
        return token == NATIVE ? address(this).balance : IERC20(token).balanceOf(address(this));
    }

    function _pay(address token, address to, uint256 amount) private {
        if (to == address(0)) revert ZeroAddress("to");
        if (token != NATIVE) return IERC20(token).safeTransfer(to, amount);
        (bool success,,) = BoundedCall.call(to, amount, gasleft(), "");
        if (!success) revert NativeTransferFailed(to, amount);
    }

    /// @dev Two calls deep, each gets at most 63/64.
    function _requireGas(uint256 minimum) private view {
        uint256 left = gasleft();
        uint256 kept = left / 64 * 2 + EXECUTION_OVERHEAD;
        uint256 available = left > kept ? left - kept : 0;
        if (available < minimum) revert InsufficientGas(available, minimum);
    }
}
