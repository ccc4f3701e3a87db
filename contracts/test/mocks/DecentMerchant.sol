// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A merchant on the destination chain, where it is paid: transaction type `decent`
contract DecentMerchant {
    IERC20 public immutable token;
    bool public closed;
    uint256 public orders;
    mapping(address receiver => uint256) public paidFor;

    event Bought(uint256 indexed order, address indexed receiver, uint256 price, bool isNative);

    /// @param token_ the token that it accepts in addition to the chain's native coin
    constructor(address token_) {
        token = IERC20(token_);
    }

    /// @notice Closes the shop, so that calls fail. Anyone may call this, because it is a mock.
    function setClosed(bool closed_) external {
        closed = closed_;
    }

    function buy(address receiver, uint256 price) external {
        require(!closed, "DecentMerchant: closed");
        require(token.transferFrom(msg.sender, address(this), price), "DecentMerchant: transfer failed");
        paidFor[receiver] += price;
        emit Bought(++orders, receiver, price, false);
    }

    function buyNative(address receiver) external payable {
        require(!closed, "DecentMerchant: closed");
        paidFor[receiver] += msg.value;
        emit Bought(++orders, receiver, msg.value, true);
    }
}
