// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Limits and prices by the caller, and beside them by receiver and by stock
contract CallerRules is Payment {
    mapping(address account => uint256) public bought;
    mapping(address account => bool) public isMember;
    mapping(address receiver => uint256) public paidFor;
    uint256 public sold;

    error LimitReached(uint256 limit);
    error NotMember(address account);
    error SoldOut();

    constructor(address usdc_) Payment(usdc_) {}

    function buyOnce(address receiver, uint256 price) external {
        if (++bought[msg.sender] > 1) revert LimitReached(1);
        _sell(receiver, price);
    }

    /// @dev From the fourth purchase on at half the price.
    function buyWithDiscount(address receiver, uint256 price) external {
        _sell(receiver, ++bought[msg.sender] > 3 ? price / 2 : price);
    }

    function buyOncePerReceiver(address receiver, uint256 price) external {
        if (++bought[receiver] > 1) revert LimitReached(1);
        _sell(receiver, price);
    }

    function buyFromStock(address receiver, uint256 price) external {
        if (++sold > 3) revert SoldOut();
        _sell(receiver, price);
    }

    function buyAsMember(address receiver, uint256 price) external {
        if (!isMember[msg.sender]) revert NotMember(msg.sender);
        _sell(receiver, price);
    }

    /// @dev As if the credits contract had bought before.
    function setBought(address account, uint256 count) external {
        bought[account] = count;
    }

    function _sell(address receiver, uint256 price) private {
        _pull(price);
        paidFor[receiver] += price;
    }
}
