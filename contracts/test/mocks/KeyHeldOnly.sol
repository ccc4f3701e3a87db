// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Sells to any caller, but not to a receiver with code
contract KeyHeldOnly is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(receiver.code.length == 0, "KeyHeldOnly: receiver has code");
        _pull(price);
        paidFor[receiver] += price;
    }
}
